// Filters of the job list: status and type, with counts.

import type { ComponentChildren } from "preact";
import { ROOT } from "../../core/addresses";
import { duration, number } from "../../core/format";
import { Link, setQuery, useLocation } from "../../core/router";
import { Button, Choices, Empty } from "../../ui/basics";
import { useJobNames } from "../../ui/job_words";
import { type Counts, countOf, oldestAge } from "./counts";
import { isState, type JobState, STATES } from "./state_badge";
import { useJobWords } from "./words";

export interface Filter {
  state: JobState | "";
  type: string;
}

export function useFilter(): Filter {
  const { query } = useLocation();
  const state = query.get("state") ?? "";
  return { state: isState(state) ? state : "", type: query.get("type") ?? "" };
}

interface Props {
  filter: Filter;
  counts: Counts;
  /** Actions on the filtered jobs. */
  children: ComponentChildren;
}

export function FilterBar({ filter, counts, children }: Props) {
  const words = useJobWords();
  const names = useJobNames();
  const rows = counts.value;
  const count = (state: JobState | "", type: string) => (rows === undefined ? undefined : countOf(rows, state, type));
  const types = (rows ?? []).map((row) => row.job_type);
  const used = types.filter((type) => type === filter.type || (count("", type) ?? 0) > 0);
  const oldest = rows === undefined ? null : oldestAge(rows, filter.type);
  return (
    <div class="job-filter">
      <Choices<JobState | "">
        label={words.states}
        value={filter.state}
        options={(["", ...STATES] as const).map((value) => ({
          value,
          label: words[value === "" ? "all" : value],
          count: count(value, filter.type),
        }))}
        choose={(value) => setQuery({ state: value })}
      />
      <label class="type-filter">
        <span class="label">{words.types}</span>
        <select value={filter.type} onChange={(event) => setQuery({ type: event.currentTarget.value })}>
          <option value="">{words.allTypes}</option>
          {used.map((type) => (
            <option key={type} value={type}>
              {`${names.job(type)} (${number(count(filter.state, type) ?? 0)})`}
            </option>
          ))}
        </select>
      </label>
      {oldest !== null && (filter.state === "" || filter.state === "queued") && (
        <span class="soft">{words.oldest(duration(oldest))}</span>
      )}
      {children}
    </div>
  );
}

export function NoJobs({ filter }: { filter: Filter }) {
  const words = useJobWords();
  const names = useJobNames();
  const parts = [filter.state === "" ? "" : words[filter.state], filter.type && names.job(filter.type)].filter(
    (part) => part !== "",
  );
  if (parts.length === 0) {
    return (
      <Empty title={words.emptyTitle} icon="job">
        <p>{words.emptyText}</p>
        <Link class="button primary" to={`${ROOT}/videos`}>
          {words.toVideos}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title={words.emptyFiltered(parts.join(", "))} icon="job">
      <Button onClick={() => setQuery({ state: null, type: null })}>{words.clearFilter}</Button>
    </Empty>
  );
}
