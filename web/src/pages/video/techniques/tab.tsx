// Techniques of a video: candidates of analyzers and marks of people, reviewed, corrected and published.

import { useRef, useState } from "preact/hooks";
import type { AnalysisAnswer, TechniqueMarkAnswer, VideoActionsAnswer } from "../../../api/types";
import { duration } from "../../../core/format";
import { Button, Choices, ErrorNote } from "../../../ui/basics";
import { notify } from "../../../ui/toasts";
import { VirtualList } from "../../../ui/virtual_list";
import { type Marks, NO_MARKS } from "../clip_editor";
import type { Playhead } from "../playhead";
import { useVideoPageWords } from "../words";
import { Finder } from "./finder";
import { MarkForm } from "./mark_form";
import { MarkRow, ROW_PX } from "./mark_row";
import { alsoFoundBy, type MarksData } from "./marks";
import { PublishBar } from "./publish_bar";
import { ReelDialog } from "./reel";
import { useReviewKeys } from "./review_keys";
import { Summary } from "./summary";
import { useSummaryWords } from "./summary_words";
import { useMarkWords } from "./words";

const FILTERS = ["all", "candidate", "accepted", "rejected"] as const;
type Filter = (typeof FILTERS)[number];

interface Props {
  videoId: string;
  durationMs: number;
  analysis: AnalysisAnswer | null;
  marks: MarksData;
  /** The start and end that the i and o keys set. */
  times: Marks;
  setTimes: (times: Marks) => void;
  /** The id of the technique that keys act on. */
  current: string | null;
  select: (mark: TechniqueMarkAnswer) => void;
  playhead: Playhead;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
  reelCreated: () => void;
}

export function TechniquesTab(props: Props) {
  const { videoId, durationMs, analysis, marks, times, setTimes, current, select, playhead, actions, started } = props;
  const words = useMarkWords();
  const summaryWords = useSummaryWords();
  const pageWords = useVideoPageWords();
  const [filter, setFilter] = useState<Filter>("all");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [form, setForm] = useState<"closed" | "new" | string>("closed");
  const [isCutting, setIsCutting] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const found = marks.value;
  const all = found?.marks ?? [];
  const canChange = found?.can_change ?? false;
  const shown = filter === "all" ? all : all.filter((mark) => mark.state === filter);
  const index = shown.findIndex((mark) => mark.id === current);
  const selected = all.find((mark) => mark.id === current);
  const edited = form === "closed" || form === "new" ? null : (all.find((mark) => mark.id === form) ?? null);
  const isOpen = canChange && (form === "new" || edited !== null);

  const go = (step: 1 | -1) => {
    const candidates = all.filter((mark) => mark.state === "candidate");
    const from = selected?.t_start ?? -1;
    const target =
      step > 0
        ? (candidates.find((mark) => mark.id !== current && mark.t_start >= from) ?? candidates[0])
        : (candidates.findLast((mark) => mark.id !== current && mark.t_start <= from) ?? candidates.at(-1));
    if (target !== undefined) select(target);
  };
  const decide = async (mark: TechniqueMarkAnswer, state: TechniqueMarkAnswer["state"]) => {
    if (!canChange || mark.state === state) return;
    const isDone = await marks.change(mark, { state });
    if (isDone && mark.id === current && mark.state === "candidate") go(1);
  };
  const remove = async (mark: TechniqueMarkAnswer) => {
    if (canChange && (await marks.remove(mark))) notify(words.removed);
  };
  const edit = (mark: TechniqueMarkAnswer) => {
    if (!canChange) return;
    select(mark);
    setForm(mark.id);
    setTimes({ start: mark.t_start, end: mark.t_end });
    focusName(frame);
  };
  const openNew = () => {
    if (!canChange) return;
    setForm("new");
    focusName(frame);
  };
  const close = () => {
    setForm("closed");
    setTimes(NO_MARKS);
  };
  useReviewKeys({
    accept: () => selected && void decide(selected, "accepted"),
    reject: () => selected && void decide(selected, "rejected"),
    edit: () => selected && edit(selected),
    remove: () => selected && void remove(selected),
    undo: () => void marks.undo?.().then((isDone) => isDone && notify(words.undone)),
    name: openNew,
    go,
  });

  const forReel = all.filter((mark) => chosen.has(mark.id) && mark.state !== "rejected");
  const reelMs = forReel.reduce((sum, mark) => sum + mark.t_end - mark.t_start, 0);
  const accepted = all.filter((mark) => mark.state === "accepted");
  return (
    <div class="stack techniques-tab" ref={frame}>
      {marks.error && <ErrorNote error={marks.error} retry={marks.reload} />}
      <Finder
        videoId={videoId}
        actions={actions}
        publishingJob={found?.published?.job_id ?? null}
        isFirst={found !== undefined && all.length === 0}
        started={started}
      />
      {analysis !== null && !analysis.finalized && (
        <p class="soft" role="status">
          {pageWords.arriving(analysis.received_count, analysis.total_event_count)}
        </p>
      )}
      {isOpen ? (
        <MarkForm
          key={form}
          edited={edited}
          marks={marks}
          times={times}
          setTimes={setTimes}
          playhead={playhead}
          durationMs={durationMs}
          close={close}
        />
      ) : (
        canChange && (
          <div class="stack">
            <Button icon="add" kind={times.end !== null ? "primary" : "plain"} onClick={openNew}>
              {times.end !== null ? words.nameIt : words.markNow}
            </Button>
            {all.length === 0 && <p class="soft">{words.how}</p>}
            {all.length === 0 && <p class="soft phone-only">{words.howTouch}</p>}
          </div>
        )
      )}
      {found !== undefined && !canChange && <p class="soft">{words.readOnly}</p>}
      {found !== undefined && (all.length > 0 || canChange) && (
        <PublishBar videoId={videoId} marks={marks} actions={actions} analysis={analysis} started={started} />
      )}
      {all.length > 0 && (
        <>
          <Choices<Filter>
            label={words.show}
            value={filter}
            choose={setFilter}
            options={FILTERS.map((value) => ({
              value,
              label: value === "candidate" ? words.candidates : words[value],
              count: value === "all" ? all.length : all.filter((mark) => mark.state === value).length,
            }))}
          />
          {shown.length === 0 ? (
            <p class="soft">{words.none}</p>
          ) : (
            <VirtualList
              rows={shown}
              height={ROW_PX}
              rowKey={(mark) => mark.id}
              label={words.list}
              current={index === -1 ? null : index}
              within={`min(60vh, ${Math.min(shown.length, 6) * ROW_PX + 4}px)`}
            >
              {(mark) => (
                <MarkRow
                  mark={mark}
                  isCurrent={mark.id === current}
                  isChosen={chosen.has(mark.id)}
                  canChange={canChange}
                  also={mark.state === "candidate" ? alsoFoundBy(mark, all) : []}
                  select={() => select(mark)}
                  choose={(isChosen) => setChosen(withChoice(chosen, mark.id, isChosen))}
                  decide={(state) => void decide(mark, state)}
                  edit={() => edit(mark)}
                  remove={() => void remove(mark)}
                  clip={() => setTimes({ start: mark.t_start, end: mark.t_end })}
                />
              )}
            </VirtualList>
          )}
          {(forReel.length > 0 || accepted.length > 0) && (
            <div class="line">
              {forReel.length > 0 && (
                <Button icon="cut" onClick={() => setIsCutting(true)}>
                  {summaryWords.reel(forReel.length, duration(reelMs / 1000))}
                </Button>
              )}
              <Button
                kind="quiet"
                onClick={() => setChosen(new Set(forReel.length > 0 ? [] : accepted.map((mark) => mark.id)))}
              >
                {forReel.length > 0 ? summaryWords.clear : summaryWords.chooseAccepted}
              </Button>
            </div>
          )}
          {canChange && <p class="soft desk-only">{words.keys}</p>}
        </>
      )}
      <Summary videoId={videoId} version={`${found?.revision} ${analysis?.job_id} ${analysis?.finalized}`} />
      {isCutting && (
        <ReelDialog
          videoId={videoId}
          chosen={forReel}
          close={() => setIsCutting(false)}
          created={() => {
            setChosen(new Set());
            props.reelCreated();
          }}
        />
      )}
    </div>
  );
}

function withChoice(chosen: ReadonlySet<string>, id: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isChosen) next.add(id);
  else next.delete(id);
  return next;
}

/** After the form is rendered. */
function focusName(frame: { current: HTMLElement | null }): void {
  setTimeout(() => frame.current?.querySelector<HTMLElement>(".name-input input")?.focus());
}
