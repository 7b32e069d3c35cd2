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
    const note = (_: number, picture: VideoFrameCallbackMetadata) => {
      if (this.target === null && !element.seeking) this.awaited = null;
      this.now.set(Math.round(picture.mediaTime * 1000));
      handle = element.requestVideoFrameCallback(note);
    };
    let handle = element.requestVideoFrameCallback(note);
    const apply = () => this.apply();
    element.addEventListener("loadedmetadata", apply);
    return () => {
      element.cancelVideoFrameCallback(handle);
      element.removeEventListener("loadedmetadata", apply);
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
    this.seek(this.now.value + frames * this.frameMs);
  }

  play(): void {
    void this.element?.play().catch(() => undefined); // Browsers may require a click first.
  }

  toggle(): void {
    if (this.element?.paused) this.play();
    else this.element?.pause();
  }

  private apply(): void {
    const element = this.element;
    if (element === null || this.target === null || element.readyState < HTMLMediaElement.HAVE_METADATA) return;
    element.currentTime = (this.target + Math.min(2, this.frameMs / 8)) / 1000;
    this.target = null;
  }
}
