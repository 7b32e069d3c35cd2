// Filters above the list: status, level, camera and text, all kept in the address.

import { useEffect, useState } from "preact/hooks";
import type { CameraAnswer } from "../../api/types";
import { useDebounced } from "../../core/timing";
import { Choices } from "../../ui/basics";
import { changeFilter, type EventFilter, LEVELS, STATES } from "./filter";
import { MoreFilters } from "./more_filters";
import { type EventView, ViewChoice } from "./view";
import { useEventWords } from "./words";

const DEBOUNCE_MS = 300;

interface Props {
  filter: EventFilter;
  cameras: CameraAnswer[];
  /** Objects and zones of the events that are listed. */
  objects: string[];
  zones: string[];
  view: EventView;
}

export function FilterBar({ filter, cameras, objects, zones, view }: Props) {
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
          const others = filter.levels.filter((item) => item !== level);
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
        {filter.camera !== "" && !cameras.some((item) => item.camera_id === filter.camera) && (
          <option value={filter.camera}>{filter.camera}</option>
        )}
        {cameras.map((item) => (
          <option key={item.camera_id} value={item.camera_id}>
            {item.name}
          </option>
        ))}
      </select>
      <MoreFilters filter={filter} objects={objects} zones={zones} />
      <Find words={filter.words} />
      <ViewChoice view={view} />
    </div>
  );
}

function Find({ words: filterText }: { words: string }) {
  const words = useEventWords();
  const [text, setText] = useState(filterText);
  const debounced = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => changeFilter({ words: debounced }), [debounced]);
  // The filter was cleared, or changed by the back button.
  useEffect(() => setText((old) => (old.trim() === filterText ? old : filterText)), [filterText]);
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
