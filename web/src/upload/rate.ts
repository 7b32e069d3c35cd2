// How fast an upload is and how long it still takes: over the last seconds, so that neither jumps. Pure.

const WINDOW_MS = 8000;
const LEAST_MS = 1000;

export class Rate {
  private points: { at: number; bytes: number }[] = [];

  /** All bytes sent up to now. */
  note(bytes: number, at: number): void {
    const last = this.points.at(-1);
    // A part that has to be sent again takes bytes back: begin anew rather than tell of a negative speed.
    if (last !== undefined && bytes < last.bytes) this.points = [];
    this.points.push({ at, bytes });
    while (this.points.length > 2 && at - (this.points[0]?.at ?? at) > WINDOW_MS) this.points.shift();
  }

  reset(): void {
    this.points = [];
  }

  /** Bytes per second; null while there is too little to tell. */
  perSecond(): number | null {
    const first = this.points[0];
    const last = this.points.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }

  secondsLeft(bytesLeft: number): number | null {
    const rate = this.perSecond();
    return rate === null || rate <= 0 ? null : bytesLeft / rate;
  }
}
