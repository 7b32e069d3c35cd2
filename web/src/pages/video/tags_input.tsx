// Tags as chips, and an input for one more that suggests those of other videos.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { SuggestionAnswer, SuggestionsAnswer } from "../../api/types";
import { useDebounced } from "../../core/timing";
import type { InputAttributes } from "../../ui/form";
import { Icon } from "../../ui/icons";
import { OptionList, useOptionList } from "../../ui/option_list";
import { useSearchInputWords } from "../../ui/search_words";
import { useAboutWords } from "./about_words";
import { withTag } from "./tags";

const MAX_TAG_LENGTH = 50;
const DEBOUNCE_MS = 120;

interface Props {
  attributes: InputAttributes;
  tags: string[];
  change: (tags: string[]) => void;
  typed: string;
  setTyped: (typed: string) => void;
}

export function TagsInput({ attributes, tags, change, typed, setTyped }: Props) {
  const words = useAboutWords();
  const listWords = useSearchInputWords();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const add = (tag: string) => {
    change(withTag(tags, tag));
    setTyped("");
    list.open(false);
  };
  const list = useOptionList(useKnownTags(typed, tags, isOpen), isOpen, setIsOpen, (option) => add(option.text));
  const remove = (tag: string) => {
    change(tags.filter((item) => item !== tag));
    input.current?.focus();
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing || list.pressed(event)) return;
    if ((event.key === "Enter" || event.key === ",") && typed.trim() !== "") {
      event.preventDefault();
      add(typed);
    } else if (event.key === ",") {
      event.preventDefault();
    } else if (event.key === "Backspace" && typed === "" && tags.length > 0) {
      change(tags.slice(0, -1));
    }
  };
  return (
    <div class="tags-input">
      {tags.length > 0 && (
        <ul class="chips" aria-label={words.tags}>
          {tags.map((tag) => (
            <li key={tag} class="chip">
              {tag}
              <button type="button" aria-label={words.removeTag(tag)} onClick={() => remove(tag)}>
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="suggesting">
        <input
          ref={input}
          {...attributes}
          {...list.attributes}
          value={typed}
          maxLength={MAX_TAG_LENGTH}
          placeholder={words.addTag}
          autocomplete="off"
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            list.open(event.currentTarget.value.trim() !== "");
          }}
          onKeyDown={pressed}
          onBlur={() => list.open(false)}
        />
        <OptionList
          list={list}
          label={words.knownTags}
          status={listWords.count(list.options.length)}
          keyOf={(option) => option.text}
        >
          {(option) => (
            <>
              <span class="text">{option.text}</span>
              {option.videos !== null && <span class="soft">{listWords.videos(option.videos)}</span>}
            </>
          )}
        </OptionList>
      </div>
    </div>
  );
}

/** Tags of other videos that begin like what was typed, without those that the video has. */
function useKnownTags(typed: string, tags: string[], isOpen: boolean): SuggestionAnswer[] {
  const [found, setFound] = useState<{ beginning: string; rows: SuggestionAnswer[] }>({ beginning: "", rows: [] });
  const beginning = useDebounced(typed.trim(), DEBOUNCE_MS);
  useEffect(() => {
    if (!isOpen || beginning === "") return;
    const abort = new AbortController();
    get<SuggestionsAnswer>("/search/suggest", { query: { q: `tag:"${beginning}` }, signal: abort.signal }).then(
      (answer) => abort.signal.aborted || setFound({ beginning, rows: answer.suggestions }),
      () => {}, // without suggestions a tag can still be typed
    );
    return () => abort.abort();
  }, [beginning, isOpen]);
  if (found.beginning === "" || !typed.trim().startsWith(found.beginning)) return [];
  return found.rows.filter((row) => withTag(tags, row.text).length > tags.length);
}
