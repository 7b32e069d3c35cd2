// Basic components: buttons, badges, empty states, fields and page headers.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api/client";
import { moment, number, percent, relative } from "../core/format";
import { useLanguage } from "../core/language";
import { EmptyPicture, type PictureName, pictureFor } from "./empty_pictures";
import { useErrorTexts } from "./error_text";
import { useErrorWords } from "./error_words";
import { Icon, type IconName } from "./icons";
import { setPageTitle } from "./page_title";
import { useUiWords } from "./words";

type ButtonProps = JSX.IntrinsicElements["button"] & {
  icon?: IconName;
  kind?: "plain" | "primary" | "danger" | "quiet";
  /** Shows only the icon; the children become its accessible name. */
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

/** An empty state with the next action. */
export function Empty(props: { title: string; children?: ComponentChildren; icon?: IconName; picture?: PictureName }) {
  const picture = props.picture ?? (props.icon && pictureFor(props.icon));
  return (
    <div class="empty">
      {picture && <EmptyPicture name={picture} />}
      {props.icon && !picture && <Icon name={props.icon} />}
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

export function ErrorNote({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  const words = useUiWords();
  return (
    <div class="note bad" role="alert">
      <Icon name="alarm" />
      <ErrorSentence error={error} />
      {retry && <Button onClick={retry}>{words.tryAgain}</Button>}
    </div>
  );
}

/** What went wrong, in the reader's language, with the API's own English words behind it where only they say it. */
export function ErrorSentence({ error }: { error: unknown }) {
  const words = useErrorWords();
  const { text, english } = useErrorTexts().textOf(error);
  return (
    <span>
      {text}
      {english !== undefined && (
        <small class="error-detail">
          {words.inEnglish} <span lang="en">{english}</span>
        </small>
      )}
    </span>
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

/** A status as text; the color only repeats it. */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** "2 hours ago", with the exact time as tooltip; it updates itself. */
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

/** A choice between a few values, as buttons side by side. */
export function Choices<T extends string>(props: {
  label: string;
  value: T;
  options: Choice<T>[];
  choose: (value: T) => void;
}) {
  return (
    <div class="choices" role="group" aria-label={props.label}>
      {props.options.map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === props.value}
          onClick={() => props.choose(item.value)}
        >
          {item.label}
          {item.count !== undefined && <span class="count">{number(item.count)}</span>}
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

/** The header of a page: title and actions. */
export function PageHeader({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => setPageTitle(title), [title]);
  return (
    <header class="head">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </header>
  );
}
