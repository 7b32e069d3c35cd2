// Upload speed and remaining time, averaged over the last seconds.

const WINDOW_MS = 8000;
const MIN_SPAN_MS = 1000;

export class Rate {
  private points: { at: number; bytes: number }[] = [];

  /** Records the total of bytes sent so far. */
  note(bytes: number, at: number): void {
    const last = this.points.at(-1);
    // A part that is sent again lowers the total; start over instead of showing a negative speed.
    if (last !== undefined && bytes < last.bytes) this.points = [];
    this.points.push({ at, bytes });
    while (this.points.length > 2 && at - (this.points[0]?.at ?? at) > WINDOW_MS) this.points.shift();
  }

  reset(): void {
    this.points = [];
  }

  /** Bytes per second; null while there is too little data. */
  perSecond(): number | null {
    const first = this.points[0];
    const last = this.points.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < MIN_SPAN_MS) return null;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }

  secondsLeft(bytesLeft: number): number | null {
    const rate = this.perSecond();
    return rate === null || rate <= 0 ? null : bytesLeft / rate;
  }
}
