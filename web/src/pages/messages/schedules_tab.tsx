// Schedules: which there are and when they are due next; new ones; paused, resumed, deleted.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { ScheduleAnswer, SchedulesAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { moment } from "../../app/format";
import { Ago, Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { complain, say } from "../../ui/toasts";
import { NewSchedule } from "./new_schedule";
import { useScheduleWords } from "./schedule_words";
import { channelWord, useMessageWords } from "./words";

const EVERY_MS = 10_000;

export function SchedulesTab() {
  const words = useScheduleWords();
  const data = useData("schedules", (signal) => get<SchedulesAnswer>("/api/schedules", { signal }), { every: EVERY_MS });
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<ScheduleAnswer | null>(null);
  const list = data.value?.schedules;
  const turn = (schedule: ScheduleAnswer) => {
    const isPaused = schedule.state === "paused";
    post<ScheduleAnswer>(`/api/schedules/${schedule.schedule_id}/${isPaused ? "resume" : "pause"}`).then((now) => {
      data.set((old) => old && { schedules: old.schedules.map((one) => (one.schedule_id === now.schedule_id ? now : one)) });
      say(isPaused ? words.didResume(now.name) : words.didPause(now.name));
    }, complain);
  };
  return (
    <>
      <p class="tab-actions">
        <Button icon="clock" kind="primary" onClick={() => setIsAdding(true)}>
          {words.add}
        </Button>
      </p>
      {data.error && <ErrorNote error={data.error} again={data.reload} />}
      {list === undefined && data.isLoading && <Loading />}
      {list?.length === 0 && (
        <Empty title={words.none} icon="clock">
          <p>{words.noneText}</p>
        </Empty>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="card-list" aria-label={words.list}>
          {list.map((one) => (
            <Row key={one.schedule_id} schedule={one} turn={() => turn(one)} askToRemove={() => setRemoving(one)} />
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
              say(words.deleted);
              data.reload();
            }, complain);
          }}
        />
      )}
    </>
  );
}

function Row({ schedule, turn, askToRemove }: { schedule: ScheduleAnswer; turn: () => void; askToRemove: () => void }) {
  const words = useScheduleWords();
  const shared = useMessageWords();
  const isPaused = schedule.state === "paused";
  return (
    <li class="card">
      <div>
        <span class="line">
          <strong>{schedule.name}</strong>
          <StateMark state={schedule.state} />
        </span>
        <span class="soft">
          <code>{schedule.expression}</code> · {schedule.zone} · {schedule.message_type} · {channelWord(schedule.channel, shared)}
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
            onClick={turn}
          >
            {isPaused ? words.resume : words.pause}
          </Button>
        )}
        <Button icon="trash" kind="quiet" iconOnly onClick={askToRemove}>
          {words.deleteOne(schedule.name)}
        </Button>
      </span>
    </li>
  );
}

function StateMark({ state }: { state: string }) {
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
