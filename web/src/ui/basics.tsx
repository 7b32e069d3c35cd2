// The small things that every page is made of.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api/client";
import { moment, percent, relative } from "../app/format";
import { useLanguage } from "../app/language";
import { errorText } from "./error_text";
import { Icon, type IconName } from "./icons";
import { useUiWords } from "./words";

type ButtonProps = JSX.IntrinsicElements["button"] & {
  icon?: IconName;
  kind?: "plain" | "primary" | "danger" | "quiet";
  /** Only the icon is seen; the children are its name for those who do not see it. */
  iconOnly?: boolean;
};

export function Button({ icon, kind = "plain", iconOnly = false, children, class: extra, ...rest }: ButtonProps) {
  const name = iconOnly ? { "aria-label": String(children), title: String(children) } : {};
  return (
    <button type="button" class={`button ${kind} ${iconOnly ? "icon-only" : ""} ${extra ?? ""}`} {...name} {...rest}>
      {icon && <Icon name={icon} />}
      {!iconOnly && children}
    </button>
  );
}

/** What to do where there is nothing to see yet. */
export function Empty({ title, children, icon }: { title: string; children?: ComponentChildren; icon?: IconName }) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function ErrorNote({ error, again }: { error: ApiError; again?: (() => void) | undefined }) {
  const words = useUiWords();
  return (
    <div class="note bad" role="alert">
      <Icon name="alarm" />
      <span>{errorText(error, words)}</span>
      {again && <Button onClick={again}>{words.again}</Button>}
    </div>
  );
}

export function Loading() {
  const words = useUiWords();
  return (
    <p class="loading" role="status">
      {words.loading}
    </p>
  );
}

export function Progress({ share, label }: { share: number; label: string }) {
  return (
    <span class="progress">
      <progress max={1} value={share} aria-label={label} />
      <span class="number">{percent(share)}</span>
    </span>
  );
}

export type Tone = "neutral" | "good" | "busy" | "warn" | "bad";

/** A state in a word; the colour only repeats it. */
export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** "2 hours ago", with the exact time behind it; it grows older by itself. */
export function Ago({ at }: { at: string }) {
  useLanguage();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((n) => n + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={moment(at)}>
      {relative(at)}
    </time>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: ComponentChildren;
  count?: number | undefined;
}

/** One of a few, as buttons side by side. */
export function Choices<T extends string>(props: {
  label: string;
  value: T;
  options: Choice<T>[];
  choose: (value: T) => void;
}) {
  return (
    <div class="choices" role="group" aria-label={props.label}>
      {props.options.map((one) => (
        <button
          key={one.value}
          type="button"
          aria-pressed={one.value === props.value}
          onClick={() => props.choose(one.value)}
        >
          {one.label}
          {one.count !== undefined && <span class="count">{one.count.toLocaleString()}</span>}
        </button>
      ))}
    </div>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  );
}

/** The head of a page: what it is, and what can be done here. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Sightline`;
  }, [title]);
  return (
    <header class="head">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </header>
  );
}
