// The most recent numbers of a series, up to a limit.

export class RecentNumbers {
  private readonly numbers = new Set<number>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.numbers.size;
  }

  has(number: number): boolean {
    return this.numbers.has(number);
  }

  /** Adds a number and forgets the one added longest ago if there are too many. */
  add(number: number): void {
    this.numbers.delete(number);
    this.numbers.add(number);
    if (this.numbers.size <= this.limit) return;
    const [oldest] = this.numbers;
    if (oldest !== undefined) this.numbers.delete(oldest);
  }
}
