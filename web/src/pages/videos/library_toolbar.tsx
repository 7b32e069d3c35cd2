// Above the grid: find by name, status, tag and order.

import { useEffect, useState } from "preact/hooks";
import type { TeamItemAnswer } from "../../api/types";
import { useMe } from "../../api/use_me";
import { useDebounced } from "../../core/timing";
import { Choices } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { useTeamWords } from "../teams/words";
import { changeLibraryFilter, type LibraryFilter, ORDERS, STATUS_FILTERS, type StatusFilter } from "./library_filter";
import { useLibraryWords } from "./library_words";
import { useVideoWords } from "./words";

const DEBOUNCE_MS = 250;

export function LibraryToolbar({ filter, teams }: { filter: LibraryFilter; teams: TeamItemAnswer[] }) {
  const words = useLibraryWords();
  const videoWords = useVideoWords();
  return (
    <div class="filters">
      <FindByName q={filter.q} />
      <Choices
        label={videoWords.filter}
        value={filter.status}
        options={(Object.keys(STATUS_FILTERS) as StatusFilter[]).map((value) => ({ value, label: videoWords[value] }))}
        choose={(status) => changeLibraryFilter({ status })}
      />
      {filter.tag !== "" && (
        <button
          type="button"
          class="tag on"
          aria-label={words.removeTagFilter(filter.tag)}
          onClick={() => changeLibraryFilter({ tag: "" })}
        >
          {words.tagged(filter.tag)}
          <Icon name="cross" />
        </button>
      )}
      <TeamFilter team={filter.team} teams={teams} />
      <label class="sort">
        <span class="soft">{words.sort}</span>
        <select
          value={filter.sort}
          onChange={(event) => changeLibraryFilter({ sort: event.currentTarget.value as LibraryFilter["sort"] })}
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {words[order]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Only where there are teams. */
function TeamFilter({ team, teams }: { team: string; teams: TeamItemAnswer[] }) {
  const words = useTeamWords();
  const me = useMe().value;
  if (teams.length === 0 || me === undefined) return null;
  return (
    <label class="sort">
      <span class="soft">{words.filter}</span>
      <select value={team} onChange={(event) => changeLibraryFilter({ team: event.currentTarget.value })}>
        <option value="">{words.all}</option>
        <option value={me.user_id}>{words.mine}</option>
        {teams.map((item) => (
          <option key={item.team_id} value={item.team_id}>
            {item.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function FindByName({ q }: { q: string }) {
  const words = useLibraryWords();
  const [text, setText] = useState(q);
  const debounced = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => changeLibraryFilter({ q: debounced.trim() }), [debounced]);
  // The filter was cleared, or changed by the back button.
  useEffect(() => setText((old) => (old.trim() === q ? old : q)), [q]);
  return (
    <input
      type="search"
      class="find-name"
      aria-label={words.findName}
      placeholder={words.findName}
      maxLength={200}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
