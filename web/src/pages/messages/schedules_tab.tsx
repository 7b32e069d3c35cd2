// The schedules tab: list, new schedules, pause, resume and delete.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { ScheduleAnswer, SchedulesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { moment } from "../../core/format";
import { Ago, Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { NewSchedule } from "./new_schedule";
import { useScheduleWords } from "./schedule_words";
import { channelWord, useMessageWords } from "./words";

const REFRESH_MS = 10_000;

export function SchedulesTab() {
  const words = useScheduleWords();
  const data = useData("schedules", (signal) => get<SchedulesAnswer>("/api/schedules", { signal }), {
    every: REFRESH_MS,
  });
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<ScheduleAnswer | null>(null);
  const list = data.value?.schedules;
  const toggle = (schedule: ScheduleAnswer) => {
    const isPaused = schedule.state === "paused";
    post<ScheduleAnswer>(`/api/schedules/${schedule.schedule_id}/${isPaused ? "resume" : "pause"}`).then((now) => {
      data.set(
        (old) => old && { schedules: old.schedules.map((item) => (item.schedule_id === now.schedule_id ? now : item)) },
      );
      notify(isPaused ? words.didResume(now.name) : words.didPause(now.name));
    }, notifyError);
  };
  return (
    <>
      <p class="tab-actions">
        <Button icon="clock" kind="primary" onClick={() => setIsAdding(true)}>
          {words.add}
        </Button>
      </p>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {list === undefined && data.isLoading && <Loading />}
      {list?.length === 0 && (
        <Empty title={words.none} icon="clock">
          <p>{words.noneText}</p>
        </Empty>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="card-list" aria-label={words.list}>
          {list.map((item) => (
            <Row
              key={item.schedule_id}
              schedule={item}
              toggle={() => toggle(item)}
              confirmRemove={() => setRemoving(item)}
            />
          ))}
        </ul>
      )}
      {isAdding && <NewSchedule close={() => setIsAdding(false)} made={data.reload} />}
      {removing !== null && (
        <Confirm
          title={words.deleteOne(removing.name)}
          text={words.deleteText}
          action={words.delete}
          close={() => setRemoving(null)}
          run={() => {
            remove(`/api/schedules/${removing.schedule_id}`).then(() => {
              notify(words.deleted);
              data.reload();
            }, notifyError);
          }}
        />
      )}
    </>
  );
}

function Row({
  schedule,
  toggle,
  confirmRemove,
}: {
  schedule: ScheduleAnswer;
  toggle: () => void;
  confirmRemove: () => void;
}) {
  const words = useScheduleWords();
  const shared = useMessageWords();
  const isPaused = schedule.state === "paused";
  return (
    <li class="card">
      <div>
        <span class="line">
          <strong>{schedule.name}</strong>
          <StateBadge state={schedule.state} />
        </span>
        <span class="soft">
          <code>{schedule.expression}</code> · {schedule.zone} · {schedule.message_type} ·{" "}
          {channelWord(schedule.channel, shared)}
        </span>
        <span class="soft">
          {words.next}:{" "}
          {schedule.next_tick === null ? (
            words.never
          ) : (
            <>
              <strong>{moment(schedule.next_tick)}</strong> (<Ago at={schedule.next_tick} />)
            </>
          )}
          {schedule.last_tick !== null && ` · ${words.last}: ${moment(schedule.last_tick)}`}
        </span>
      </div>
      <span class="line">
        {schedule.state !== "finished" && (
          <Button
            icon={isPaused ? "play" : "pause"}
            aria-label={isPaused ? words.resumeOne(schedule.name) : words.pauseOne(schedule.name)}
            onClick={toggle}
          >
            {isPaused ? words.resume : words.pause}
          </Button>
        )}
        <Button icon="trash" kind="quiet" iconOnly onClick={confirmRemove}>
          {words.deleteOne(schedule.name)}
        </Button>
      </span>
    </li>
  );
}

function StateBadge({ state }: { state: string }) {
  const words = useScheduleWords();
  if (state === "paused") {
    return (
      <Badge tone="warn" icon="pause">
        {words.paused}
      </Badge>
    );
  }
  return state === "active" ? (
    <Badge tone="good" icon="play">
      {words.active}
    </Badge>
  ) : (
    <Badge icon="check">{words.finished}</Badge>
  );
}
