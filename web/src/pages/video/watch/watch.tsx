// The player with its timeline, controls and keys. Full screen shows all of them.

import { useRef, useState } from "preact/hooks";
import type {
  DetectionAnswer,
  SegmentAnswer,
  TechniqueMarkAnswer,
  VideoTrackAnswer,
  WholeVideoAnswer,
} from "../../../api/types";
import { notifyError } from "../../../ui/toasts";
import type { Marks } from "../clip_editor";
import type { Playhead } from "../playhead";
import type { Segments } from "../segments";
import type { ShownBox } from "../tracks";
import { useChapters } from "./chapters";
import { Controls } from "./controls";
import { type Captions, type Quality, useCaptions, useLoop } from "./playback";
import { Player } from "./player";
import { usePlayerKeys } from "./player_keys";
import type { Theatre } from "./theatre";
import { Timeline } from "./timeline";

interface Props {
  video: WholeVideoAnswer;
  playhead: Playhead;
  theatre: Theatre;
  shown: SegmentAnswer[];
  objects: ShownBox[];
  segments: Segments;
  techniques: TechniqueMarkAnswer[];
  detections: DetectionAnswer[];
  tracks: VideoTrackAnswer[];
  marks: Marks;
  hasOriginal: boolean;
}

export function Watch({ video, playhead, theatre, segments, marks, hasOriginal, ...rest }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<HTMLVideoElement | null>(null);
  const [captions, setCaptions] = useState<Captions>("off");
  const [isLooping, setIsLooping] = useState(false);
  const [quality, setQuality] = useState<Quality>("stream");
  const hasText = segments.all.some((item) => item.kind === "text");
  const hasSpeech = segments.all.some((item) => item.kind === "speech");
  const choices: Captions[] = [
    "off",
    ...(hasText ? (["text"] as const) : []),
    ...(hasSpeech ? (["speech"] as const) : []),
  ];
  const hasFrames = video.status === "COMPLETED" && video.framesRemovedAt === null;
  const chapters = useChapters(video.videoId, hasFrames, segments.all);
  const playback = { captions, setCaptions, isLooping, setIsLooping, quality, setQuality };
  useCaptions(player, captions);
  useLoop(playhead, player, isLooping, marks);
  const toggleFullScreen = () => {
    const change = document.fullscreenElement === null ? frame.current?.requestFullscreen() : document.exitFullscreen();
    void change?.catch(notifyError);
  };
  usePlayerKeys({
    playhead,
    player,
    playback,
    captions: choices,
    chapters,
    durationMs: video.durationMs ?? 0,
    toggleTheatre: theatre.toggle,
    toggleFullScreen,
  });
  return (
    <div ref={frame} class="player-frame">
      <Player
        video={video}
        playhead={playhead}
        quality={quality}
        setQuality={setQuality}
        ready={setPlayer}
        shown={rest.shown}
        objects={rest.objects}
        hasText={hasText}
        hasSpeech={hasSpeech}
      />
      <Timeline
        video={video}
        chapters={chapters}
        segments={segments}
        techniques={rest.techniques}
        detections={rest.detections}
        tracks={rest.tracks}
        marks={marks}
        playhead={playhead}
      />
      <Controls
        video={video}
        player={player}
        playhead={playhead}
        playback={playback}
        captions={choices}
        chapters={chapters}
        hasOriginal={hasOriginal}
        hasMarks={marks.start !== null && marks.end !== null}
        isTheatre={theatre.isOn}
        toggleTheatre={theatre.toggle}
        toggleFullScreen={toggleFullScreen}
      />
    </div>
  );
}
