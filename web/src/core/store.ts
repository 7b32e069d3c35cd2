// A value with subscribers.

import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  private readonly subscribers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const notify of [...this.subscribers]) notify(value);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.current));
  }

  subscribe(notify: (value: T) => void): () => void {
    this.subscribers.add(notify);
    return () => this.subscribers.delete(notify);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(() => store.value); // The value may have changed before this effect ran.
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
