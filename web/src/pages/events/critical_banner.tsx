// Banner for unacknowledged critical events, one at a time.

import type { EventAnswer } from "../../api/types";
import { Link } from "../../core/router";
import { useStore } from "../../core/store";
import { openCriticals } from "../../live/open_criticals";
import { Button } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { Icon } from "../../ui/icons";
import { useEventWords } from "./words";

interface Props {
  addressOf: (id: number) => string;
  acknowledge: (event: EventAnswer) => void;
  cameraName: (id: string) => string;
}

export function CriticalBanner({ addressOf, acknowledge, cameraName }: Props) {
  const words = useEventWords();
  const summary = useEventSummary();
  const { events, isMore } = useStore(openCriticals);
  // The oldest event comes first.
  const next = events.at(-1);
  return (
    <div class={next === undefined ? "" : "critical-banner"}>
      <p role="alert">
        {next !== undefined && (
          <>
            <Icon name="stop" />
            <span>
              <strong>{words.criticalOpen(`${events.length}${isMore ? "+" : ""}`)}</strong>
              <span class="critical-text">
                {cameraName(next.camera_id)}: {summary(next)}
              </span>
            </span>
          </>
        )}
      </p>
      {next !== undefined && (
        <span class="line">
          <Link class="button" to={addressOf(next.id)}>
            {words.look}
          </Link>
          <Button icon="check" kind="primary" onClick={() => acknowledge(next)}>
            {words.acknowledge}
          </Button>
        </span>
      )}
    </div>
  );
}
