// The command palette: pages, videos and cameras by name, moments, actions and operators of search, by keyboard alone.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { type Command, matchingCommands } from "./commands";
import { useFoundCommands } from "./found_commands";
import { usePageCommands } from "./page_commands";
import { usePaletteWords } from "./palette_words";

const MAX_SHOWN = 30;
/** Only with its own list, and not with one of the browser, is an input a combobox by its role alone. */
const COMBOBOX = { role: "combobox", list: undefined } as const;

interface Props {
  close: () => void;
  showKeys: () => void;
}

/** Browsers also report a pointer that rests while the list changes beneath it, which chooses nothing. */
const hasMoved = (event: PointerEvent): boolean => event.movementX !== 0 || event.movementY !== 0;

export function Palette({ close, showKeys }: Props) {
  const words = usePaletteWords();
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const own = usePageCommands(showKeys);
  const found = useFoundCommands(text, setText);
  const matching = matchingCommands(own, text);
  // What was typed is searched for at the end, so that a name that fits is always nearer.
  const options = [...matching.slice(0, text.trim() === "" ? MAX_SHOWN : 8), ...found].slice(0, MAX_SHOWN);
  const current = Math.min(active, options.length - 1);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => setActive(0), [text]);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [current]);

  const take = (command: Command) => {
    if (!command.isUnfinished) close();
    command.run();
    if (command.isUnfinished) input.current?.focus();
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const isEdge = Math.abs(step) === 1;
      const next = current + step;
      setActive(isEdge ? (next + options.length) % options.length : Math.max(0, Math.min(options.length - 1, next)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const command = options[current];
      if (command !== undefined) take(command);
    }
  };

  return (
    <Dialog title={words.title} close={close} class="palette">
      <input
        ref={input}
        type="text"
        {...COMBOBOX}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        aria-label={words.title}
        placeholder={words.placeholder}
        autocomplete="off"
        spellcheck={false}
        maxLength={300}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <div class="unseen" role="status">
        {words.count(options.length)}
      </div>
      <div id={`${id}-list`} ref={list} role="listbox" aria-label={words.title} class="commands" tabIndex={-1}>
        {options.map((option, n) => (
          <div
            key={option.id}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === current}
            onPointerMove={(event) => n !== current && hasMoved(event) && setActive(n)}
            onClick={() => take(option)}
            onKeyDown={() => {}}
          >
            <Icon name={option.icon} />
            <span class="text">{option.text}</span>
            <span class="soft">{option.about}</span>
          </div>
        ))}
      </div>
      {options.length === 0 && <p class="soft">{words.nothing}</p>}
      <p class="soft hint">{words.hint}</p>
    </Dialog>
  );
}
