// Plays HLS in a video element: hls.js, loaded on demand, or the browser's own support.

/** A segment of the playlist, with its place in the player and, if the playlist says so, its time. */
export interface StreamSegment {
  start: number;
  duration: number;
  programDateTime: number | null;
}

export interface StreamOptions {
  failed: () => void;
  /** The playlist was read. Browsers with their own support tell nothing about it. */
  loaded?: (segments: StreamSegment[]) => void;
}

/** Starts playback and returns a function that ends it. */
async function playStream(
  player: HTMLVideoElement,
  source: string,
  { failed, loaded }: StreamOptions,
): Promise<() => void> {
  const { default: Hls } = await import("hls.js/light");
  if (!Hls.isSupported()) {
    player.src = source;
    player.addEventListener("error", failed, { once: true });
    return () => player.removeAttribute("src");
  }
  const hls = new Hls({
    enableWorker: false, // The content policy forbids workers made from a text.
    maxBufferLength: 30,
  });
  hls.on(Hls.Events.ERROR, (_, error) => {
    if (!error.fatal) return;
    if (error.type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
    else failed();
  });
  hls.on(Hls.Events.LEVEL_LOADED, (_, { details }) => loaded?.(details.fragments));
  hls.loadSource(source);
  hls.attachMedia(player);
  return () => hls.destroy();
}

/** Plays a source until the returned function is called, even before the player has started. */
export function startStream(player: HTMLVideoElement, source: string, options: StreamOptions): () => void {
  let isOver = false;
  let end = () => {};
  void playStream(player, source, options).then((stop) => {
    if (isOver) stop();
    else end = stop;
  });
  return () => {
    isOver = true;
    end();
  };
}
