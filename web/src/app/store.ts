// A value that components can follow.

import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  private readonly followers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const tell of [...this.followers]) tell(value);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.current));
  }

  follow(tell: (value: T) => void): () => void {
    this.followers.add(tell);
    return () => this.followers.delete(tell);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(() => store.value); // it may have changed before this effect ran
    return store.follow((next) => setValue(() => next));
  }, [store]);
  return value;
}
