// The name of a technique: an input with a searchable list of known names. Any other name can be typed.

import type { TargetedKeyboardEvent } from "preact";
import { useId, useState } from "preact/hooks";
import { get } from "../../../api/client";
import type { TechniqueNameAnswer, TechniqueNamesAnswer } from "../../../api/types";
import { useData } from "../../../api/use_data";
import { useLanguage } from "../../../core/language";
import { type Category, colourOf, useCategoryNames } from "./categories";
import { matchingNames } from "./name_search";
import { useMarkWords } from "./words";

const MAX_SHOWN = 50;
/** Only with its own list, and not with one of the browser, is an input a combobox by its role alone. */
const COMBOBOX = { role: "combobox", list: undefined } as const;

interface Props {
  value: string;
  /** Names of this category come first. */
  category: Category;
  type: (name: string) => void;
  choose: (name: string, category: Category) => void;
}

export function NameInput({ value, category, type, choose }: Props) {
  const words = useMarkWords();
  const categories = useCategoryNames();
  const language = useLanguage();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const names = useData("technique names", (signal) => get<TechniqueNamesAnswer>("/api/technique-names", { signal }));
  const options = isOpen ? matchingNames(names.value?.names ?? [], value, category).slice(0, MAX_SHOWN) : [];
  const current = active !== null && active < options.length ? active : null;
  const shown = (item: TechniqueNameAnswer) => (language === "pt" ? item.name_pt : item.name);
  const take = (item: TechniqueNameAnswer) => {
    setIsOpen(false);
    setActive(null);
    choose(item.name, item.category);
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) setIsOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = current ?? (step > 0 ? -1 : options.length);
      setActive(Math.min(options.length - 1, Math.max(0, from + step)));
    } else if (event.key === "Escape" && options.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    } else if (event.key === "Enter" && current !== null) {
      event.preventDefault();
      take(options[current] as TechniqueNameAnswer);
    }
  };
  return (
    <div class="field name-input">
      <label class="label" for={id}>
        {words.name}
      </label>
      <input
        id={id}
        {...COMBOBOX}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current === null ? undefined : `${id}-${current}`}
        aria-describedby={`${id}-hint`}
        value={value}
        required
        maxLength={200}
        autocomplete="off"
        onInput={(event) => {
          type(event.currentTarget.value);
          setIsOpen(true);
          setActive(null);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setIsOpen(true)}
        onKeyDown={pressed}
        onBlur={() => setIsOpen(false)}
      />
      <div id={`${id}-list`} role="listbox" aria-label={words.names} class="names" hidden={options.length === 0}>
        {options.map((item, n) => (
          <div
            key={`${item.name} ${item.category}`}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === current}
            ref={(element) => {
              if (n === current) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(item)}
            onKeyDown={() => {}}
          >
            <span class={`dot ${colourOf(item.category)}`} />
            <span>{shown(item)}</span>
            <small class="soft">{item.is_own ? words.own : categories[item.category]}</small>
          </div>
        ))}
      </div>
      <small id={`${id}-hint`}>{words.nameHint}</small>
    </div>
  );
}
