// Details of one event: assessment, detections, matching rules and history.

import type { EventAnswer, WholeEventAnswer } from "../../api/types";
import type { Data } from "../../api/use_data";
import { momentAddress } from "../../core/addresses";
import { clock, moment } from "../../core/format";
import { Link } from "../../core/router";
import { Badge, Button, ErrorNote, Loading } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { useEventReasons } from "../../ui/event_reasons";
import { useEventSummary } from "../../ui/event_summary";
import { Fact } from "../../ui/fact";
import { useSummaryWords } from "../../ui/summary_words";
import { LevelBadge, StateBadge } from "./badges";
import { Detections, videoAddress } from "./detections";
import { EventClip } from "./event_clip";
import { EventComments } from "./event_comments";
import { HandlingFacts, ReopenButton } from "./event_handling";
import { History } from "./event_history";
import { isOpen, isResolvable } from "./filter";
import { useHandlingWords } from "./handling_words";
import { useRuleWords } from "./rule_words";
import { seenObjects } from "./seen_objects";
import { type EventWords, useEventWords } from "./words";

interface Props {
  data: Data<WholeEventAnswer>;
  /** A new value: its comments and history are loaded again. */
  happened: number;
  acknowledge: (event: EventAnswer) => void;
  resolve: (event: EventAnswer) => void;
  /** Receives the event after a change. */
  show: (event: EventAnswer) => void;
}

export function EventDetail({ data, happened, acknowledge, resolve, show }: Props) {
  const words = useEventWords();
  const summary = useEventSummary();
  const handling = useHandlingWords();
  const names = useSummaryWords();
  const rules = useRuleWords();
  const reasons = useEventReasons();
  const event = data.value;
  if (event === undefined) {
    return data.error ? (
      <ErrorNote error={data.error} retry={data.error.isRetryable ? data.reload : undefined} />
    ) : (
      <Loading />
    );
  }
  return (
    <article class="event-detail">
      <header>
        <p class="line">
          <LevelBadge level={event.risk_level} />
          <StateBadge state={event.state} />
          <span class="soft">{words.eventNumber(event.id)}</span>
        </p>
        <h2>{summary(event)}</h2>
        <div class="line">
          {isOpen(event) && (
            <Button icon="check" kind="primary" onClick={() => acknowledge(event)}>
              {words.acknowledge}
            </Button>
          )}
          {isResolvable(event) && <Button onClick={() => resolve(event)}>{words.resolve}</Button>}
          <ReopenButton event={event} show={show} />
          <Button icon="link" kind="quiet" onClick={() => copyLink(event.id, words)}>
            {words.copyLink}
          </Button>
        </div>
      </header>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <dl class="fact-list">
        <Fact name={words.score}>
          <meter
            class={`level-${event.risk_level}`}
            min={0}
            max={100}
            value={event.risk_score}
            aria-label={words.score}
          />{" "}
          {words.scoreOf(event.risk_score)}
        </Fact>
        <Fact name={words.camera}>
          {event.camera === null ? (
            event.camera_id
          ) : (
            <Link to={momentAddress(event.camera_id, event.started_at)}>{event.camera.name}</Link>
          )}
        </Fact>
        <Fact name={words.when}>
          {event.ended_at === null || event.ended_at === event.started_at
            ? moment(event.started_at)
            : words.until(moment(event.started_at), moment(event.ended_at))}
        </Fact>
        {event.video !== null && (
          <Fact name={words.video}>
            <Link to={videoAddress(event.video.video_id, event.video.t_ms)}>
              {words.inVideo(clock(event.video.t_ms))}
            </Link>
          </Fact>
        )}
        <Fact name={words.seen}>{event.object_types.map(names.kind).join(", ")}</Fact>
        {event.zones.length > 0 && <Fact name={handling.zonesSeen}>{event.zones.join(", ")}</Fact>}
        {event.behaviours.length > 0 && (
          <Fact name={handling.behavioursSeen}>{event.behaviours.map(rules.behaviourName).join(", ")}</Fact>
        )}
        <Fact name={words.assessor}>{assessorOf(event, words)}</Fact>
        <HandlingFacts event={event} show={show} />
      </dl>
      {event.picture_url !== null && <img class="event-picture" src={event.picture_url} alt={summary(event)} />}
      <EventClip
        key={event.id}
        event={event}
        happened={happened}
        done={() => event.clip_state !== "done" && show({ ...event, clip_state: "done" })}
      />
      <h3>{words.reasoning}</h3>
      <p class="reasoning">{reasons(event.reasoning)}</p>
      {event.notes.length > 0 && (
        <>
          <h3>{handling.notesSeen}</h3>
          <ul>
            {event.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      <h3>
        {words.detections} <span class="soft count">{seenObjects(event.detections).length}</span>
      </h3>
      <Detections detections={event.detections} />
      <h3>{words.rulesMet}</h3>
      {event.alert_rules.length === 0 ? (
        <p class="soft">{words.noRules}</p>
      ) : (
        <ul class="met-rules">
          {event.alert_rules.map((rule) => (
            <li key={rule.rule_id} class="line">
              <strong>{rule.name}</strong>
              <LevelBadge level={rule.severity} />
              {rule.is_cooled_down && <Badge>{words.cooledDown}</Badge>}
            </li>
          ))}
        </ul>
      )}
      <EventComments key={event.id} eventId={event.id} happened={happened} changed={data.reload} />
      <h3>{words.history}</h3>
      <History key={event.id} event={event} happened={happened} />
    </article>
  );
}

function assessorOf(event: EventAnswer, words: EventWords): string {
  if (event.assessor === "rules") return words.byRules;
  if (event.assessor === "rules_after_model") return words.byRulesAfterModel;
  if (event.assessor === "unavailable") return words.byNobody;
  return words.byModel(event.model ?? event.assessor);
}

function copyLink(id: number, words: EventWords): void {
  void copyText(new URL(`/ui/events/${id}`, location.href).href, words.copied);
}
