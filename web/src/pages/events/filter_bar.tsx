// The filters above the list: state, levels, camera, words. Each stands in the address.

import { useEffect, useState } from "preact/hooks";
import type { CameraAnswer } from "../../api/types";
import { useRested } from "../../app/data";
import { Choices } from "../../ui/basics";
import { type EventFilter, LEVELS, STATES, changeFilter } from "./filter";
import { useEventWords } from "./words";

const RESTED_MS = 300;

export function FilterBar({ filter, cameras }: { filter: EventFilter; cameras: CameraAnswer[] }) {
  const words = useEventWords();
  return (
    <div class="event-filters">
      <Choices
        label={words.state}
        value={filter.state}
        options={STATES.map((value) => ({ value, label: words[value] }))}
        choose={(state) => changeFilter({ state })}
      />
      <div class="choices" role="group" aria-label={words.level}>
        {LEVELS.map((level) => {
          const isOn = filter.levels.includes(level);
          const others = filter.levels.filter((one) => one !== level);
          return (
            <button
              key={level}
              type="button"
              aria-pressed={isOn}
              onClick={() => changeFilter({ levels: isOn ? others : [...others, level] })}
            >
              {words[level]}
            </button>
          );
        })}
      </div>
      <select
        aria-label={words.camera}
        value={filter.camera}
        onChange={(event) => changeFilter({ camera: event.currentTarget.value })}
      >
        <option value="">{words.anyCamera}</option>
        {filter.camera !== "" && !cameras.some((one) => one.camera_id === filter.camera) && (
          <option value={filter.camera}>{filter.camera}</option>
        )}
        {cameras.map((one) => (
          <option key={one.camera_id} value={one.camera_id}>
            {one.name}
          </option>
        ))}
      </select>
      <Find words={filter.words} />
    </div>
  );
}

function Find({ words: wanted }: { words: string }) {
  const words = useEventWords();
  const [text, setText] = useState(wanted);
  const rested = useRested(text, RESTED_MS);
  useEffect(() => changeFilter({ words: rested }), [rested]);
  // Cleared, or changed by going back.
  useEffect(() => setText((old) => (old.trim() === wanted ? old : wanted)), [wanted]);
  return (
    <input
      type="search"
      aria-label={words.find}
      placeholder={words.find}
      maxLength={200}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
