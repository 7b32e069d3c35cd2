// Empty states of the event list, each with the next action.

import { addressOf } from "../../core/addresses";
import { Link } from "../../core/router";
import { Button, Empty } from "../../ui/basics";
import { changeFilter, type EventFilter } from "./filter";
import { useEventWords } from "./words";

export function NoEvents({ filter, nameOf }: { filter: EventFilter; nameOf: (id: string) => string }) {
  const words = useEventWords();
  const parts = [
    ...filter.levels.map((item) => `${words.level}: ${words[item]}`),
    filter.camera !== "" && `${words.camera}: ${nameOf(filter.camera)}`,
    filter.words !== "" && `“${filter.words}”`,
  ].filter(Boolean);
  if (filter.state !== "all" && filter.state !== "open") parts.unshift(`${words.state}: ${words[filter.state]}`);
  if (parts.length > 0) {
    return (
      <Empty title={words.noneFiltered(parts.join(", "))} icon="search">
        <Button onClick={() => changeFilter({ state: "all", levels: [], camera: "", words: "" })}>{words.clear}</Button>
      </Empty>
    );
  }
  if (filter.state === "open") {
    return (
      <Empty title={words.noneOpen} icon="check">
        <p>{words.noneOpenText}</p>
        <Button onClick={() => changeFilter({ state: "all" })}>{words.showAll}</Button>
      </Empty>
    );
  }
  return (
    <Empty title={words.none} icon="event">
      <p>{words.noneText}</p>
      <Link class="button primary" to={addressOf("cameras")}>
        {words.addCamera}
      </Link>
    </Empty>
  );
}
