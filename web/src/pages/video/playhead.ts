// The playback position, shared by player, timeline and lists.

import { Store } from "../../core/store";

export class Playhead {
  /** Time of the visible frame, in ms. */
  readonly now = new Store(0);
  private element: HTMLVideoElement | null = null;
  private target: number | null = null;
  /** Where a seek goes whose frame is not visible yet. */
  private awaited: number | null = null;

  constructor(private readonly fps: number) {}

  /** Duration of one frame, in ms. */
  get frameMs(): number {
    return 1000 / (this.fps > 0 ? this.fps : 25);
  }

  /** Time that was asked for last, in ms: of the visible frame, or of the one that a seek will show. */
  get wanted(): number {
    return this.awaited ?? this.now.value;
  }

  attach(element: HTMLVideoElement): () => void {
    this.element = element;
    let hasNewFrame = false;
    const note = (_: number, picture: VideoFrameCallbackMetadata) => {
      hasNewFrame = true;
      if (!element.seeking) this.arrive();
      this.now.set(Math.round(picture.mediaTime * 1000));
      handle = element.requestVideoFrameCallback(note);
    };
    let handle = element.requestVideoFrameCallback(note);
    const leave = new AbortController();
    const on = (event: string, run: () => void) => element.addEventListener(event, run, { signal: leave.signal });
    on("loadedmetadata", () => this.apply());
    on("seeking", () => {
      hasNewFrame = false;
      // The browser's own controls and other code seek too.
      const ms = element.currentTime * 1000;
      if (this.target === null && Math.abs(ms - (this.awaited ?? -1)) > this.frameMs / 2) this.awaited = ms;
    });
    on("seeked", () => {
      // The new frame is often visible before the seek ends, and on a paused video no other follows it.
      if (hasNewFrame) this.arrive();
    });
    return () => {
      element.cancelVideoFrameCallback(handle);
      leave.abort();
      this.element = null;
    };
  }

  /** Shows the frame at this time. It seeks slightly past the start, because times are rounded. */
  seek(ms: number): void {
    this.target = this.awaited = Math.max(0, ms);
    this.apply();
  }

  step(frames: number): void {
    this.element?.pause();
    this.seek(this.wanted + frames * this.frameMs);
  }

  play(): void {
    void this.element?.play().catch(() => undefined); // Browsers may require a click first.
  }

  toggle(): void {
    if (this.element?.paused) this.play();
    else this.element?.pause();
  }

  private arrive(): void {
    if (this.target === null) this.awaited = null;
  }

  private apply(): void {
    const element = this.element;
    if (element === null || this.target === null || element.readyState < HTMLMediaElement.HAVE_METADATA) return;
    element.currentTime = (this.target + Math.min(2, this.frameMs / 8)) / 1000;
    this.target = null;
  }
}
