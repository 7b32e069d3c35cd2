// One technique in the list: what it is, who found it, and what can be done with it.

import type { TechniqueMarkAnswer } from "../../../api/types";
import { clock, percent } from "../../../core/format";
import { Badge, Button, type Tone } from "../../../ui/basics";
import { colourOf, useCategoryNames } from "./categories";
import { useMarkWords } from "./words";

export const ROW_PX = 106;
const TONES: Record<TechniqueMarkAnswer["state"], Tone> = { candidate: "busy", accepted: "good", rejected: "neutral" };

interface Props {
  mark: TechniqueMarkAnswer;
  isCurrent: boolean;
  isChosen: boolean;
  canChange: boolean;
  also: string[];
  select: () => void;
  choose: (isChosen: boolean) => void;
  decide: (state: TechniqueMarkAnswer["state"]) => void;
  edit: () => void;
  remove: () => void;
  clip: () => void;
}

export function MarkRow({ mark, isCurrent, isChosen, canChange, also, ...act }: Props) {
  const words = useMarkWords();
  const categories = useCategoryNames();
  const { state } = mark;
  return (
    <div class={`mark-row ${state} ${isCurrent ? "current" : ""}`} aria-current={isCurrent}>
      <label class="choose">
        <input
          type="checkbox"
          aria-label={words.choose(mark.name)}
          checked={isChosen}
          disabled={state === "rejected"}
          onChange={(event) => act.choose(event.currentTarget.checked)}
        />
      </label>
      <button type="button" class="what" onClick={act.select}>
        <span class="title">
          <span class={`dot ${colourOf(mark.category)}`} />
          <strong>{mark.name}</strong>
          <span class="space" />
          <Badge tone={TONES[state]}>{words[state]}</Badge>
        </span>
        <small class="soft">
          {clock(mark.t_start)} – {clock(mark.t_end)} · {categories[mark.category]} · {mark.role}
        </small>
      </button>
      <div class="row-actions">
        <small class="soft">
          {mark.analyzer ?? words.byPerson}
          {mark.analyzer !== null && ` · ${percent((mark.original ?? mark).confidence)}`}
          {mark.is_edited && ` · ${words.edited}`}
          {also.length > 0 && ` · ${words.also(also.join(", "))}`}
          {mark.finished !== null && ` · ${mark.finished ? words.finished : words.tried}`}
        </small>
        <span class="line">
          {canChange && state !== "accepted" && (
            <Button icon="check" kind="quiet" iconOnly class="accept" onClick={() => act.decide("accepted")}>
              {words.accept}
            </Button>
          )}
          {canChange && state !== "rejected" && (
            <Button icon="cross" kind="quiet" iconOnly class="reject" onClick={() => act.decide("rejected")}>
              {words.reject}
            </Button>
          )}
          {canChange && (
            <Button icon="pencil" kind="quiet" iconOnly onClick={act.edit}>
              {words.edit}
            </Button>
          )}
          <Button icon="cut" kind="quiet" iconOnly onClick={act.clip}>
            {words.clip}
          </Button>
          {canChange && (
            <Button icon="trash" kind="quiet" iconOnly onClick={act.remove}>
              {words.remove}
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}
