// The search box: an input with a list of suggestions, used with the keyboard alone or with a pointer.

import type { Ref, TargetedKeyboardEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/client";
import type { SuggestionAnswer, SuggestionsAnswer } from "../api/types";
import { useRecentSearches } from "../core/recent_searches";
import { useDebounced } from "../core/timing";
import { Icon, type IconName } from "./icons";
import { OptionList, useOptionList } from "./option_list";
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
  const [isOpen, setIsOpen] = useState(false);
  const list = useOptionList(useSuggestions(text, isOpen, user), isOpen, setIsOpen, (option) => {
    const isWhole = option.kind !== "operator";
    list.open(!isWhole);
    choose(option.q, isWhole);
  });
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing || list.pressed(event)) return;
    if (event.key === "Enter") list.open(false);
    if (event.key === "ArrowDown" && text.trim() === "" && !isOpen) {
      event.preventDefault();
      list.open(true);
      return;
    }
    onKey?.(event);
  };

  return (
    <div class="suggesting">
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        {...list.attributes}
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
          list.open(event.currentTarget.value.trim() !== "");
        }}
        onKeyDown={pressed}
        onClick={() => text.trim() === "" && list.open(true)}
        onBlur={() => list.open(false)}
      />
      <OptionList
        list={list}
        label={words.suggestions}
        status={words.count(list.options.length)}
        keyOf={(option) => `${option.kind} ${option.q}`}
      >
        {(option) => (
          <>
            <Icon name={ICONS[option.kind]} />
            <span class="text">{option.text}</span>
            <span class="soft">{aboutOf(option, words)}</span>
          </>
        )}
      </OptionList>
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
