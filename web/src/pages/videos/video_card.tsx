// One video of the grid: poster with preview, name, and what is happening with it.

import type { PipelineStepAnswer, VideoAnswer } from "../../api/types";
import { percent, relative } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Badge, Button } from "../../ui/basics";
import { Menu } from "../../ui/menu";
import { useTeamWords } from "../teams/words";
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
  /** Null where there is no team to move it to. */
  move: (() => void) | null;
  trash: () => void;
  deleteNow: () => void;
  removeFrom: (() => void) | null;
}

interface Props {
  video: VideoAnswer;
  /** The name of the team that it belongs to; null for one of a person. */
  team: string | null;
  steps: PipelineStepAnswer[] | undefined;
  isSelected: boolean;
  select: (isRange: boolean) => void;
  actions: CardActions;
  changed: () => void;
}

export function VideoCard({ video, team, steps, isSelected, select, actions, changed }: Props) {
  const library = useLibraryWords();
  const words = useVideoWords();
  const teamWords = useTeamWords();
  const address = `/ui/videos/${video.videoId}`;
  const group = groupOf(video.status);
  const processed = processedShare(video.status, steps);
  const canRetry = video.status === "FAILED" && video.canChange && steps?.some((step) => step.can_retry);
  return (
    <article
      class={isSelected ? "video-card selected" : "video-card"}
      data-card={video.videoId}
      data-status={video.status}
    >
      <PosterPreview video={video} address={address} processed={processed} />
      {canRetry && (
        <span class="card-over">
          <Retry videoId={video.videoId} done={changed} />
        </span>
      )}
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
          {video.canChange && actions.move !== null && (
            <Button kind="quiet" icon="people" onClick={actions.move}>
              {teamWords.move}
            </Button>
          )}
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
          {group !== "ready" && (
            <Badge tone={TONES[group]}>
              {statusWord(video.status, words)}
              {processed !== null && <span class="number">{percent(Math.floor(processed * 100) / 100)}</span>}
            </Badge>
          )}
          <Trouble video={video} steps={steps} />
          {video.status !== "FAILED" && <Ago at={video.createdAt} />}
          {team !== null && (
            <button type="button" class="tag" onClick={() => changeLibraryFilter({ team: video.teamId ?? "" })}>
              {team}
            </button>
          )}
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
      </div>
    </article>
  );
}

/** How far processing is, from 0 to 1; null if it is over or not known. */
export function processedShare(status: string, steps: PipelineStepAnswer[] | undefined): number | null {
  if (!PROCESSING_STATUSES.includes(status) || steps === undefined || steps.length === 0) return null;
  return steps.reduce((sum, step) => sum + (step.status === "done" ? 1 : step.progress), 0) / steps.length;
}

/** Why it failed, or that and when a failed attempt is repeated. */
function Trouble({ video, steps }: Pick<Props, "video" | "steps">) {
  const words = useVideoWords();
  const waits = steps?.find((step) => step.next_attempt_at !== null && step.error !== null);
  const text =
    video.status === "FAILED"
      ? video.errorReason
      : waits && `${words.tryAgainAt(relative(waits.next_attempt_at ?? ""))}: ${waits.error}`;
  if (!text) return null;
  return (
    <span class="reason failure" title={text}>
      {text}
    </span>
  );
}
