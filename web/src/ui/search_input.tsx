// The search box: an input with a list of suggestions, used with the keyboard alone or with a pointer.

import type { Ref, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { get } from "../api/client";
import type { SuggestionAnswer, SuggestionsAnswer } from "../api/types";
import { useRecentSearches } from "../core/recent_searches";
import { useDebounced } from "../core/timing";
import { Icon, type IconName } from "./icons";
import { useSearchInputWords } from "./search_words";

type Suggestion = Omit<SuggestionAnswer, "kind"> & { kind: SuggestionAnswer["kind"] | "recent" };

const DEBOUNCE_MS = 120;
const MAX_RECENT_SHOWN = 3;
const ICONS: Record<Suggestion["kind"], IconName> = {
  recent: "clock",
  word: "search",
  video: "video",
  tag: "info",
  kind: "captions",
  operator: "captions",
};

/** Only with its own list, and not with one of the browser, is an input a combobox by its role alone. */
const COMBOBOX = { role: "combobox", list: undefined } as const;

interface Props {
  text: string;
  label: string;
  placeholder: string;
  /** Whose recent searches are offered. */
  user: string | undefined;
  box: Ref<HTMLInputElement>;
  type: (text: string) => void;
  /** A suggestion was chosen; `isWhole` unless it waits for more to be typed. */
  choose: (q: string, isWhole: boolean) => void;
  /** Keys that the list of suggestions does not use. */
  onKey?: (event: TargetedKeyboardEvent<HTMLInputElement>) => void;
}

export function SearchInput({ text, label, placeholder, user, box, type, choose, onKey }: Props) {
  const words = useSearchInputWords();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const options = useSuggestions(text, isOpen, user);
  const isShown = isOpen && options.length > 0;
  const current = isShown && active !== null && active < options.length ? active : null;

  const open = (on: boolean) => {
    setIsOpen(on);
    setActive(null);
  };
  const take = (option: Suggestion) => {
    const isWhole = option.kind !== "operator";
    open(!isWhole);
    choose(option.q, isWhole);
  };
  const move = (by: number) => {
    const last = options.length - 1;
    setActive(current === null ? (by > 0 ? 0 : last) : current + by < 0 || current + by > last ? null : current + by);
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (isShown && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (isShown && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      open(false);
    } else if (current !== null && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      take(options[current] as Suggestion);
    } else {
      if (event.key === "Enter") open(false);
      if (event.key === "ArrowDown" && text.trim() === "" && !isOpen) {
        event.preventDefault();
        open(true);
        return;
      }
      onKey?.(event);
    }
  };

  return (
    <div class="suggesting">
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        {...COMBOBOX}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current === null ? undefined : `${id}-${current}`}
        aria-label={label}
        aria-keyshortcuts="/"
        value={text}
        maxLength={500}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => {
          type(event.currentTarget.value);
          open(event.currentTarget.value.trim() !== "");
        }}
        onKeyDown={pressed}
        onClick={() => text.trim() === "" && open(true)}
        onBlur={() => open(false)}
      />
      <div class="unseen" role="status">
        {isShown && words.count(options.length)}
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={words.suggestions}
        class="suggestions"
        hidden={!isShown}
        tabIndex={-1}
      >
        {options.map((option, n) => (
          <div
            key={`${option.kind} ${option.q}`}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === current}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
            onKeyDown={() => {}}
          >
            <Icon name={ICONS[option.kind]} />
            <span class="text">{option.text}</span>
            <span class="soft">{aboutOf(option, words)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function aboutOf(option: Suggestion, words: ReturnType<typeof useSearchInputWords>): string {
  if (option.kind === "word" && option.videos !== null) return words.videos(option.videos);
  if (option.kind !== "operator") return words[option.kind];
  const name = option.text.slice(0, -1);
  return name in words ? String(words[name as "said"]) : words.operator;
}

/** Suggestions for what was typed; the last ones stay until new ones are there. */
function useSuggestions(text: string, isOpen: boolean, user: string | undefined): Suggestion[] {
  const [found, setFound] = useState<{ text: string; rows: SuggestionAnswer[] }>({ text: "", rows: [] });
  const recent = useRecentSearches(user);
  const typed = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => {
    if (!isOpen || typed.trim() === "") return;
    const abort = new AbortController();
    get<SuggestionsAnswer>("/search/suggest", { query: { q: typed }, signal: abort.signal }).then(
      (answer) => abort.signal.aborted || setFound({ text: typed, rows: answer.suggestions }),
      () => {}, // without suggestions one can still search
    );
    return () => abort.abort();
  }, [typed, isOpen]);
  const asTyped = text.trim().toLowerCase();
  const remembered = recent
    .filter((q) => q.toLowerCase().startsWith(asTyped) && q.toLowerCase() !== asTyped)
    .slice(0, asTyped === "" ? undefined : MAX_RECENT_SHOWN)
    .map((q): Suggestion => ({ kind: "recent", text: q, q, videos: null }));
  if (asTyped === "") return remembered;
  const isOfThis = text.startsWith(found.text) && found.text !== "" && !/\s$/.test(text);
  const fresh = isOfThis ? found.rows.filter((row) => row.q.trim().toLowerCase() !== asTyped) : [];
  return [...remembered, ...fresh.filter((row) => !remembered.some((item) => item.q.trim() === row.q.trim()))];
}
