// Video page: player, timeline, clip editor and tabs.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, get } from "../../api/client";
import type {
  AnalysisAnswer,
  DetectionAnswer,
  DetectionsAnswer,
  PipelinesAnswer,
  SegmentAnswer,
  TechniqueMarkAnswer,
  WholeVideoAnswer,
} from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf, type PageProps } from "../../core/addresses";
import { Link, useLocation, useQueryValue } from "../../core/router";
import { useStore } from "../../core/store";
import { useLive, videoStream } from "../../live/streams";
import { Button, Empty, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Tabs } from "../../ui/tabs";
import { PipelineSteps } from "../videos/pipeline_steps";
import { Removals } from "../videos/removals";
import { PROCESSING_STATUSES } from "../videos/statuses";
import { About } from "./about";
import {
  doneAnalysis,
  doneDetection,
  doneTranscription,
  isAnalyzing,
  isDetecting,
  isTranscribing,
  useActions,
} from "./actions";
import { ClipEditor, type Marks, NO_MARKS } from "./clip_editor";
import { DetailsTab } from "./details_tab";
import { EventsTab } from "./events_tab";
import { FailedNote } from "./failed_note";
import { FramesTab } from "./frames_tab";
import { JobsTab } from "./jobs_tab";
import { ObjectsTab } from "./objects_tab";
import { Playhead } from "./playhead";
import { type Segments, useSegments, visibleAt } from "./segments";
import { SpeechBar } from "./speech_bar";
import { TakeAway } from "./take_away/take_away";
import { momentOf } from "./take_away/targets";
import { useMarks } from "./techniques/marks";
import { Strip } from "./techniques/strip";
import { TechniquesTab } from "./techniques/tab";
import { TextTab } from "./text_tab";
import { boxesAt, coloursOf, useTracks } from "./tracks";
import { useTheatre } from "./watch/theatre";
import { Watch } from "./watch/watch";
import { useVideoPageWords } from "./words";

/** How often techniques of an analysis that has ended are looked for again: about a minute. */
const MAX_WAITS = 40;
/** No such video, and what can be the id of none. */
const ABSENT = [404, 422];
const TABS = ["text", "objects", "techniques", "events", "frames", "jobs", "details"] as const;
type TabName = (typeof TABS)[number];

export default function VideoPage({ rest }: PageProps) {
  const words = useVideoPageWords();
  const data = useData(`video ${rest}`, (signal) =>
    get<WholeVideoAnswer>(`/videos/${encodeURIComponent(rest)}`, { signal }),
  );
  useLive(videoStream, {
    message: ({ type, data: update }) => type === "video.status" && update.videoId === rest && data.reload(),
    gap: data.reload,
  });
  if (data.value !== undefined) return <Shown video={data.value} reload={data.reload} />;
  return (
    <>
      <PageHeader title={words.video} />
      {data.error === undefined ? (
        <Loading />
      ) : ABSENT.includes(data.error.status) ? (
        <Empty title={words.absent} icon="video">
          <p>{words.absentText}</p>
          <Link class="button primary" to={addressOf("videos")}>
            {words.allVideos}
          </Link>
        </Empty>
      ) : (
        <ErrorNote error={data.error} retry={data.reload} />
      )}
    </>
  );
}

function Shown({ video, reload }: { video: WholeVideoAnswer; reload: () => void }) {
  const words = useVideoPageWords();
  const { query } = useLocation();
  const [tabText, setTab] = useQueryValue("tab", "text");
  const tab = (TABS as readonly string[]).includes(tabText) ? (tabText as TabName) : "text";
  const [marks, setMarks] = useState<Marks>(NO_MARKS);
  const isReady = video.status === "COMPLETED";
  const playhead = useMemo(() => new Playhead(video.fps ?? 25), [video.fps]);
  const now = useStore(playhead.now);
  const [isFollowed, setIsFollowed] = useState(false);
  const actions = useActions(video.videoId, video.status, isFollowed);
  const segments = useSegments(video.videoId, isReady, doneTranscription(actions.value));
  const hasSpeech = segments.all.some((item) => item.kind === "speech");
  const analyzing = isAnalyzing(actions.value) || isDetecting(actions.value) || isTranscribing(actions.value);
  useEffect(() => setIsFollowed(analyzing), [analyzing]);
  const findings = useFindings(
    video.videoId,
    isReady && actions.value !== undefined,
    doneAnalysis(actions.value),
    actions.value?.has_analysis ?? false,
  );
  const techniques = useMarks(video.videoId, tab === "techniques", doneAnalysis(actions.value));
  const [reels, setReels] = useState(0);
  const [technique, setTechnique] = useState<string | null>(null);
  const chooseTechnique = (mark: TechniqueMarkAnswer) => {
    setTechnique(mark.id);
    playhead.seek(mark.t_start);
  };
  const tracks = useTracks(video.videoId, doneDetection(actions.value));
  const colours = useMemo(() => coloursOf(tracks.all), [tracks.all]);
  // Without a detector, and with nothing that one found before, there is nothing to show.
  const canDetect = actions.value !== undefined && actions.value.detect.cannot !== "not_installed";
  const tabs = TABS.filter((value) => value !== "objects" || canDetect || tracks.all.length > 0);
  const pipeline = useData(
    `pipeline ${video.videoId}`,
    (signal) => get<PipelinesAnswer>("/api/pipelines", { query: { video_ids: video.videoId }, signal }),
    { every: isReady || video.status === "FAILED" ? null : 1500 },
  );
  const steps = pipeline.value?.pipelines[0]?.steps ?? [];
  const hasStream =
    isReady || (video.durationMs !== null && steps.some((item) => item.name === "transcode" && item.status === "done"));
  const theatre = useTheatre();

  const startTime = query.get("t");
  useEffect(() => {
    if (startTime !== null && Number.isFinite(Number(startTime))) playhead.seek(Number(startTime) * 1000);
  }, [startTime, playhead]);

  const choose = useCallback((segment: SegmentAnswer) => playhead.seek(segment.t_start), [playhead]);
  const isStepShown = tab === "text" || tab === "frames";
  return (
    <>
      <PageHeader title={video.name}>
        <TakeAway
          video={video}
          actions={actions.value}
          hasBothKinds={hasSpeech && segments.all.some((item) => item.kind === "text")}
          moment={() => momentOf(marks, playhead.wanted, video.durationMs ?? 0)}
        />
        {hasStream && (
          <Button icon="link" onClick={() => copyLink(video.videoId, playhead.wanted, words)}>
            {words.copyLink}
          </Button>
        )}
      </PageHeader>
      {video.status === "FAILED" && (
        <FailedNote
          video={video}
          steps={steps}
          retried={() => {
            reload();
            pipeline.reload();
          }}
        />
      )}
      {video.mediaNote !== null && <p class="note">{video.mediaNote}</p>}
      {PROCESSING_STATUSES.includes(video.status) && (
        <div class="note">
          <span>{words.notReady}</span>
          <PipelineSteps steps={steps} />
        </div>
      )}
      {video.removals.length > 0 && (
        <p class="line">
          <Removals video={video} />
        </p>
      )}
      <div class={theatre.isOn ? "columns theatre" : "columns"}>
        <div class="watch">
          {hasStream && (
            <>
              <Watch
                video={video}
                playhead={playhead}
                theatre={theatre}
                shown={isStepShown ? visibleAt(segments.all, now) : []}
                objects={boxesAt(tracks.all, colours, now)}
                segments={segments}
                techniques={techniques.value?.marks.filter((mark) => mark.state !== "rejected") ?? []}
                detections={findings.detections}
                tracks={tracks.all}
                marks={marks}
                hasOriginal={actions.value?.download.cannot === null}
              />
              {tab === "techniques" && (
                <Strip
                  marks={techniques.value?.marks ?? []}
                  durationMs={video.durationMs ?? 1}
                  playhead={playhead}
                  select={chooseTechnique}
                />
              )}
              <ClipEditor
                video={video}
                marks={marks}
                setMarks={setMarks}
                playhead={playhead}
                canShare={actions.value?.share.cannot === null}
                hasCaptions={segments.total > 0}
                version={reels}
              />
            </>
          )}
          <About video={video} saved={reload} />
        </div>
        <Tabs<TabName>
          label={words.parts}
          value={tab}
          choose={setTab}
          tabs={tabs.map((value) => ({
            value,
            label: words[value],
            count: countOf(value, segments, tracks.all.length),
          }))}
        >
          {tab === "text" && (
            <div class="stack">
              {isReady && (
                <SpeechBar
                  videoId={video.videoId}
                  hasSpeech={hasSpeech}
                  actions={actions.value}
                  started={actions.reload}
                />
              )}
              {video.status === "FAILED" ? (
                <Empty title={words.failedText} icon="captions" />
              ) : (
                <TextTab segments={segments} playhead={playhead} isReady={isReady} choose={choose} />
              )}
            </div>
          )}
          {tab === "objects" && (
            <ObjectsTab
              videoId={video.videoId}
              uploadedAt={video.createdAt}
              tracks={tracks.all}
              error={tracks.error}
              playhead={playhead}
              actions={actions.value}
              started={actions.reload}
            />
          )}
          {tab === "techniques" && (
            <TechniquesTab
              videoId={video.videoId}
              durationMs={video.durationMs ?? 1}
              analysis={findings.analysis}
              marks={techniques}
              times={marks}
              setTimes={setMarks}
              current={technique}
              select={chooseTechnique}
              playhead={playhead}
              actions={actions.value}
              started={actions.reload}
              reelCreated={() => setReels((count) => count + 1)}
            />
          )}
          {tab === "events" && <EventsTab video={video} detections={findings.detections} playhead={playhead} />}
          {tab === "frames" && <FramesTab video={video} isReady={isReady} playhead={playhead} />}
          {tab === "jobs" && (
            <JobsTab
              videoId={video.videoId}
              steps={steps}
              canChange={video.canChange ?? true}
              changed={() => {
                reload();
                pipeline.reload();
              }}
            />
          )}
          {tab === "details" && <DetailsTab video={video} actions={actions.value} />}
        </Tabs>
      </div>
    </>
  );
}

function countOf(tab: TabName, segments: Segments, objects: number): number | undefined {
  if (tab === "text") return segments.isComplete ? segments.total : undefined;
  return tab === "objects" && objects > 0 ? objects : undefined;
}

interface Findings {
  analysis: AnalysisAnswer | null;
  detections: DetectionAnswer[];
}

/** The newest analysis that has arrived, and detections. The messages of `doneJob` are on their way after the job has ended; they
 * are waited for, but not without end: they may have been published on a topic of somebody else's. */
function useFindings(videoId: string, isReady: boolean, doneJob: string | null, hasAnalysis: boolean): Findings {
  const [isArriving, setIsArriving] = useState(false);
  const left = useRef(0);
  useEffect(() => {
    left.current = MAX_WAITS;
    setIsArriving(doneJob !== null);
  }, [doneJob]);
  const data = useData(
    isReady ? `findings ${videoId} ${hasAnalysis || doneJob !== null}` : null,
    async (signal) => {
      // What is known to be missing is not requested: the browser would log it as an error.
      const mayExist = hasAnalysis || doneJob !== null;
      const analysis = mayExist
        ? await orNothing(get<AnalysisAnswer>(`/videos/${videoId}/analysis`, { signal }))
        : null;
      const seen = await get<DetectionsAnswer>("/api/detections", { query: { video_id: videoId, limit: 200 }, signal });
      left.current -= 1;
      if ((analysis?.job_id === doneJob && analysis?.finalized) || left.current <= 0) setIsArriving(false);
      return { analysis, detections: seen.detections };
    },
    { every: isArriving ? 1500 : null },
  );
  return {
    analysis: data.value?.analysis ?? null,
    detections: data.value?.detections ?? [],
  };
}

async function orNothing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function copyLink(videoId: string, ms: number, words: ReturnType<typeof useVideoPageWords>): void {
  const link = `${location.origin}/ui/videos/${videoId}?t=${(ms / 1000).toFixed(3)}`;
  void copyText(link, words.copied, `${words.copyThis} ${link}`);
}
