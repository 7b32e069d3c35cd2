// One video of the grid: poster with preview, name, and what is happening with it.

import type { PipelineStepAnswer, VideoAnswer } from "../../api/types";
import { percent, relative } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Badge, Button } from "../../ui/basics";
import { Menu } from "../../ui/menu";
import { changeLibraryFilter } from "./library_filter";
import { useLibraryWords } from "./library_words";
import { PosterPreview } from "./poster_preview";
import { Removals } from "./removals";
import { Retry } from "./retry";
import { groupOf, PROCESSING_STATUSES, TONES } from "./statuses";
import { FINISHED_STATUSES } from "./trash_actions";
import { cardId } from "./use_card_keys";
import { statusWord, useVideoWords } from "./words";

const SHOWN_TAGS = 2;

export interface CardActions {
  edit: () => void;
  addTo: () => void;
  trash: () => void;
  deleteNow: () => void;
  removeFrom: (() => void) | null;
}

interface Props {
  video: VideoAnswer;
  steps: PipelineStepAnswer[] | undefined;
  isSelected: boolean;
  select: (isRange: boolean) => void;
  actions: CardActions;
  changed: () => void;
}

export function VideoCard({ video, steps, isSelected, select, actions, changed }: Props) {
  const library = useLibraryWords();
  const words = useVideoWords();
  const address = `/ui/videos/${video.videoId}`;
  const group = groupOf(video.status);
  return (
    <article
      class={isSelected ? "video-card selected" : "video-card"}
      data-card={video.videoId}
      data-status={video.status}
    >
      <PosterPreview video={video} address={address} />
      <label class="card-check">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={library.select(video.name)}
          onClick={(event) => select(event.shiftKey)}
        />
      </label>
      <div class="card-text">
        <h2>
          <Link id={cardId(video.videoId)} to={address} title={video.name}>
            {video.name}
          </Link>
        </h2>
        <Menu label={library.actions(video.name)} icon="more" isIconOnly>
          {video.canChange && (
            <Button kind="quiet" icon="pencil" onClick={actions.edit}>
              {library.edit}
            </Button>
          )}
          <Button kind="quiet" icon="collection" onClick={actions.addTo}>
            {library.addTo}
          </Button>
          {actions.removeFrom !== null && (
            <Button kind="quiet" icon="cross" onClick={actions.removeFrom}>
              {library.removeFrom}
            </Button>
          )}
          {video.canChange &&
            (FINISHED_STATUSES.includes(video.status) ? (
              <Button kind="quiet" icon="trash" onClick={actions.trash}>
                {library.remove}
              </Button>
            ) : (
              <Button kind="quiet" icon="trash" onClick={actions.deleteNow}>
                {library.deleteNow}
              </Button>
            ))}
        </Menu>
        <p class="card-line soft">
          {group !== "ready" && <Badge tone={TONES[group]}>{statusWord(video.status, words)}</Badge>}
          {video.status !== "FAILED" && <Ago at={video.createdAt} />}
          {video.tags.slice(0, SHOWN_TAGS).map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              aria-label={library.showTag(tag)}
              onClick={() => changeLibraryFilter({ tag })}
            >
              {tag}
            </button>
          ))}
          {video.tags.length > SHOWN_TAGS && (
            <span title={video.tags.slice(SHOWN_TAGS).join(", ")}>+{video.tags.length - SHOWN_TAGS}</span>
          )}
          <Removals video={video} />
        </p>
        <CardProgress video={video} steps={steps} changed={changed} />
      </div>
    </article>
  );
}

function CardProgress({ video, steps, changed }: Pick<Props, "video" | "steps" | "changed">) {
  const words = useVideoWords();
  if (video.status === "FAILED") {
    const canRetry = video.canChange && (steps?.some((step) => step.status === "failed" && step.can_retry) ?? false);
    return (
      <div class="card-line failure">
        <span class="reason" title={video.errorReason ?? undefined}>
          {video.errorReason}
        </span>
        {canRetry && <Retry videoId={video.videoId} done={changed} />}
      </div>
    );
  }
  if (!PROCESSING_STATUSES.includes(video.status) || steps === undefined) return null;
  const waits = steps.find((step) => step.next_attempt_at !== null && step.error !== null);
  if (waits !== undefined) {
    return (
      <p class="card-line failure">
        <span class="reason" title={waits.error ?? undefined}>
          {words.tryAgainAt(relative(waits.next_attempt_at ?? ""))}: {waits.error}
        </span>
      </p>
    );
  }
  const share = steps.reduce((sum, step) => sum + (step.status === "done" ? 1 : step.progress), 0) / steps.length;
  return (
    <p class="card-line">
      <progress max={1} value={share} aria-label={words.progressOf(video.name)} />
      <span class="soft number">{percent(Math.floor(share * 100) / 100)}</span>
    </p>
  );
}
