// One dead letter in the list.

import type { DeadLetterAnswer } from "../../api/types";
import { Link } from "../../core/router";
import { Ago } from "../../ui/basics";
import { useQueueWords } from "./queue_words";
import { rowLinkId } from "./row_selection";
import { shortId } from "./state_badge";

interface Props {
  letter: DeadLetterAnswer;
  address: string;
  isCurrent: boolean;
  isOpened: boolean;
  isSelected: boolean;
  keepScroll: boolean;
  select: () => void;
}

export function DeadLetterRow(props: Props) {
  const words = useQueueWords();
  const { letter } = props;
  const type = letter.type ?? words.noType;
  const id = shortId(letter.message_id);
  const classes = ["work-row", props.isCurrent && "current", props.isOpened && "opened"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <span class="box">
        <input type="checkbox" checked={props.isSelected} aria-label={words.select(type, id)} onChange={props.select} />
      </span>
      <div class="what">
        <div class="first">
          <Link
            id={rowLinkId(letter.message_id)}
            to={props.address}
            keepScroll={props.keepScroll}
            aria-label={`${type} ${id}`}
            aria-current={props.isOpened ? "true" : undefined}
          >
            {type}
          </Link>
          {letter.receive_count !== null && <span class="soft">{words.received(letter.receive_count)}</span>}
          {letter.redrives > 0 && <span class="soft">{words.redriven(letter.redrives)}</span>}
          <span class="age soft">{letter.dead_since === null ? words.unknown : <Ago at={letter.dead_since} />}</span>
        </div>
        <div class="second">
          <span class="why" title={letter.reason ?? undefined}>
            {letter.reason ?? words.noReason}
          </span>
        </div>
      </div>
    </div>
  );
}
