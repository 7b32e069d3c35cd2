// Further filters above the list: what was detected, where, when, and who handles it; and the export of what they match.

import { encodeQuery, type Query } from "../../api/client";
import { Menu } from "../../ui/menu";
import { useSummaryWords } from "../../ui/summary_words";
import { changeFilter, type EventFilter, queryOf } from "./filter";
import { useHandlingWords } from "./handling_words";

interface Props {
  filter: EventFilter;
  objects: string[];
  zones: string[];
}

export function MoreFilters({ filter, objects, zones }: Props) {
  const words = useHandlingWords();
  const names = useSummaryWords();
  return (
    <>
      <Chosen
        label={words.objectFilter}
        any={words.anyObject}
        value={filter.object}
        values={objects}
        nameOf={names.kind}
        choose={(object) => changeFilter({ object })}
      />
      <Chosen
        label={words.zoneFilter}
        any={words.anyZone}
        value={filter.zone}
        values={zones}
        nameOf={(zone) => zone}
        choose={(zone) => changeFilter({ zone })}
      />
      <select
        aria-label={words.assignedFilter}
        value={filter.assigned}
        onChange={(event) => changeFilter({ assigned: event.currentTarget.value })}
      >
        <option value="">{words.anyAssignee}</option>
        <option value="me">{words.assignedMe}</option>
        <option value="nobody">{words.assignedNobody}</option>
      </select>
      <input
        type="date"
        aria-label={words.dayFilter}
        value={filter.day}
        onChange={(event) => changeFilter({ day: event.currentTarget.value })}
      />
      <Menu label={words.export}>
        <a href={exportOf(filter, "csv")}>{words.exportCsv}</a>
        <a href={exportOf(filter, "json")}>{words.exportJson}</a>
        <a href={exportOf(filter, "zip")}>{words.exportZip}</a>
      </Menu>
    </>
  );
}

/** A choice among the values of the listed events; hidden while there are none. */
function Chosen(props: {
  label: string;
  any: string;
  value: string;
  values: string[];
  nameOf: (value: string) => string;
  choose: (to: string) => void;
}) {
  const { value } = props;
  const known = [...new Set(value === "" ? props.values : [...props.values, value])].sort();
  if (known.length === 0) return null;
  return (
    <select aria-label={props.label} value={value} onChange={(event) => props.choose(event.currentTarget.value)}>
      <option value="">{props.any}</option>
      {known.map((item) => (
        <option key={item} value={item}>
          {props.nameOf(item)}
        </option>
      ))}
    </select>
  );
}

function exportOf(filter: EventFilter, format: string): string {
  const query: Query = { ...queryOf(filter), format };
  return `/api/events/export${encodeQuery(query)}`;
}
