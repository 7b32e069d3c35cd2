// One event in the list.

import type { EventAnswer } from "../../api/types";
import { Link } from "../../core/router";
import { Ago, Button } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { LevelBadge, StateBadge } from "./badges";
import { EventThumbnail } from "./event_thumbnail";
import { isOpen, isResolvable } from "./filter";
import { useHandlingWords } from "./handling_words";
import { useEventWords } from "./words";

interface Props {
  event: EventAnswer;
  cameraName: string;
  address: string;
  isCurrent: boolean;
  isOpened: boolean;
  isSelected: boolean;
  keepScroll: boolean;
  /** Hides the buttons: there is no room for them beside the details. */
  isNarrow: boolean;
  /** Shows a card with a large picture instead of a row. */
  isCard: boolean;
  select: (isRange: boolean) => void;
  acknowledge: () => void;
  resolve: () => void;
}

export const linkId = (id: number | string): string => `event-${id}`;

export function EventRow(props: Props) {
  const words = useEventWords();
  const handling = useHandlingWords();
  const summary = useEventSummary();
  const { event } = props;
  const classes = [
    "event-row",
    props.isCard && "as-card",
    props.isSelected && "selected",
    props.isCurrent && "current",
    props.isOpened && "opened",
    !isOpen(event) && "settled",
  ];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <input
        type="checkbox"
        checked={props.isSelected}
        aria-label={words.select(summary(event))}
        onClick={(click) => props.select(click.shiftKey)}
      />
      <EventThumbnail event={event} address={props.address} keepScroll={props.keepScroll} isCurrent={props.isCurrent} />
      <span class="event-level">
        <LevelBadge level={event.risk_level} />
      </span>
      <div class="event-text">
        <Link
          id={linkId(event.id)}
          class="event-summary"
          to={props.address}
          keepScroll={props.keepScroll}
          aria-current={props.isOpened ? "true" : undefined}
        >
          {summary(event)}
        </Link>
        <span class="event-about soft">
          <span>{props.cameraName}</span>
          <Ago at={event.started_at} />
          <StateBadge state={event.state} />
          {event.assignee !== null && <span>{event.assignee.name}</span>}
          {event.comment_count > 0 && <span>{handling.commentCount(event.comment_count)}</span>}
        </span>
      </div>
      {!props.isNarrow && (
        <span class="event-actions">
          {isOpen(event) && (
            <Button icon="check" onClick={props.acknowledge} aria-label={words.acknowledgeOne(summary(event))}>
              {words.acknowledge}
            </Button>
          )}
          {isResolvable(event) && (
            <Button onClick={props.resolve} aria-label={words.resolveOne(summary(event))}>
              {words.resolve}
            </Button>
          )}
        </span>
      )}
    </div>
  );
}
