// A list of options below an input (a combobox), used with the keyboard alone or with a pointer.

import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useId, useState } from "preact/hooks";

/** Only with its own list, and not with one of the browser, is an input a combobox by its role alone. */
const COMBOBOX = { role: "combobox", list: undefined } as const;

export interface OptionListState<T> {
  id: string;
  options: T[];
  isShown: boolean;
  /** The number of the option that the arrow keys have reached. */
  current: number | null;
  /** Shows or hides the list; no option is chosen then. */
  open: (on: boolean) => void;
  take: (option: T) => void;
  /** Attributes of the input. */
  attributes: Record<string, unknown>;
  /** Handles a key of the input; false if it is not for the list. */
  pressed: (event: TargetedKeyboardEvent<HTMLInputElement>) => boolean;
}

export function useOptionList<T>(
  options: T[],
  isOpen: boolean,
  setIsOpen: (on: boolean) => void,
  take: (option: T) => void,
): OptionListState<T> {
  const id = useId();
  const [active, setActive] = useState<number | null>(null);
  const isShown = isOpen && options.length > 0;
  const current = isShown && active !== null && active < options.length ? active : null;
  const open = (on: boolean) => {
    setIsOpen(on);
    setActive(null);
  };
  const move = (by: number) => {
    const last = options.length - 1;
    setActive(current === null ? (by > 0 ? 0 : last) : current + by < 0 || current + by > last ? null : current + by);
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (isShown && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (isShown && event.key === "Escape") {
      event.stopPropagation();
      open(false);
    } else if (current !== null && (event.key === "Enter" || event.key === "Tab")) {
      take(options[current] as T);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  };
  const attributes = {
    ...COMBOBOX,
    "aria-expanded": isShown,
    "aria-controls": `${id}-list`,
    "aria-autocomplete": "list",
    "aria-activedescendant": current === null ? undefined : `${id}-${current}`,
  } as const;
  return { id, options, isShown, current, open, take, attributes, pressed };
}

interface Props<T> {
  list: OptionListState<T>;
  label: string;
  /** What screen readers say when options appear. */
  status: string;
  keyOf: (option: T) => string;
  children: (option: T) => ComponentChildren;
}

export function OptionList<T>({ list, label, status, keyOf, children }: Props<T>) {
  return (
    <>
      <div class="unseen" role="status">
        {list.isShown && status}
      </div>
      <div
        id={`${list.id}-list`}
        role="listbox"
        aria-label={label}
        class="suggestions"
        hidden={!list.isShown}
        tabIndex={-1}
      >
        {list.options.map((option, n) => (
          <div
            key={keyOf(option)}
            id={`${list.id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === list.current}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => list.take(option)}
            onKeyDown={() => {}}
          >
            {children(option)}
          </div>
        ))}
      </div>
    </>
  );
}
