// Tabs with arrow keys, as in the WAI-ARIA pattern.

import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useId } from "preact/hooks";
import { number } from "../core/format";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export interface Tab<T extends string> {
  value: T;
  label: string;
  count?: number | undefined;
}

export function Tabs<T extends string>(props: {
  label: string;
  tabs: Tab<T>[];
  value: T;
  choose: (value: T) => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const at = props.tabs.findIndex((tab) => tab.value === props.value);
    const next = props.tabs.at((at + step + props.tabs.length) % props.tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    props.choose(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={props.label} onKeyDown={move}>
        {props.tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === props.value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === props.value ? 0 : -1}
            onClick={() => props.choose(tab.value)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="count">{number(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${props.value}`} tabIndex={0}>
        {props.children}
      </div>
    </div>
  );
}
