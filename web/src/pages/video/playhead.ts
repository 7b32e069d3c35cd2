// Where playback is, and the way to move it: shared by the player, the strip and the lists.

import { Store } from "../../app/store";

export class Playhead {
  /** The time of the picture that is seen, in ms. */
  readonly now = new Store(0);
  private element: HTMLVideoElement | null = null;
  private wanted: number | null = null;

  constructor(private readonly fps: number) {}

  /** One picture, in ms. */
  get frameMs(): number {
    return 1000 / (this.fps > 0 ? this.fps : 25);
  }

  attach(element: HTMLVideoElement): () => void {
    this.element = element;
    const note = (_: number, picture: VideoFrameCallbackMetadata) => {
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

  /** Shows the picture of this time: a hair behind its beginning, because times are rounded on their way here. */
  seek(ms: number): void {
    this.wanted = Math.max(0, ms);
    this.apply();
  }

  step(frames: number): void {
    this.element?.pause();
    this.seek(this.now.value + frames * this.frameMs);
  }

  toggle(): void {
    const element = this.element;
    if (element === null) return;
    if (element.paused) void element.play().catch(() => undefined); // a browser may want a click first
    else element.pause();
  }

  private apply(): void {
    const element = this.element;
    if (element === null || this.wanted === null || element.readyState < HTMLMediaElement.HAVE_METADATA) return;
    element.currentTime = (this.wanted + Math.min(2, this.frameMs / 8)) / 1000;
    this.wanted = null;
  }
}
