// Snoozes of an event, a rule or a camera: how long, until when, and their end.

import { moment } from "../../core/format";
import { Button } from "../../ui/basics";
import { Menu } from "../../ui/menu";
import { useHandlingWords } from "./handling_words";

const HOUR_MS = 3_600_000;

interface Props {
  /** Until when it is snoozed; null or past: it is not. */
  until: string | null;
  /** Null ends the snooze. */
  snooze: (until: string | null) => void;
}

export const isSnoozed = (until: string | null): until is string => until !== null && Date.parse(until) > Date.now();

/** As buttons side by side. */
export function SnoozeButtons(props: Props) {
  return <span class="line">{isSnoozed(props.until) ? <End {...props} /> : <Spans {...props} />}</span>;
}

/** As one button with a menu, where there is little room. */
export function SnoozeMenu({ label, ...props }: Props & { label: string }) {
  if (isSnoozed(props.until)) return <End {...props} />;
  return (
    <Menu label={label} icon="clock">
      <Spans {...props} />
    </Menu>
  );
}

function Spans({ snooze }: Props) {
  const words = useHandlingWords();
  const after = (hours: number) => () => snooze(new Date(Date.now() + hours * HOUR_MS).toISOString());
  return (
    <>
      <Button onClick={after(1)}>{words.snoozeHour}</Button>
      <Button onClick={after(24)}>{words.snoozeDay}</Button>
      <Button onClick={after(24 * 7)}>{words.snoozeWeek}</Button>
    </>
  );
}

function End({ until, snooze }: Props) {
  const words = useHandlingWords();
  return (
    <>
      <span>{words.snoozed(moment(until ?? ""))}</span>
      <Button onClick={() => snooze(null)}>{words.endSnooze}</Button>
    </>
  );
}
