// Empty states of the search page: help, no videos, no results.

import { get } from "../../api/client";
import type { VideosAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { Link, setQuery } from "../../core/router";
import { Button, Empty } from "../../ui/basics";
import type { SearchQuery } from "./search_query";
import { useSearchWords } from "./words";

/** Null while loading. */
export function useHasVideos(): boolean | null {
  const { value } = useData("videos", (signal) => get<VideosAnswer>("/videos", { query: { limit: 1 }, signal }));
  return value === undefined ? null : value.videos.length > 0;
}

export function NoVideos() {
  const words = useSearchWords();
  return (
    <Empty title={words.noVideosTitle} icon="video">
      <p>{words.noVideosText}</p>
      <Link class="button primary" to={addressOf("videos")}>
        {words.toVideos}
      </Link>
    </Empty>
  );
}

export function SearchHelp({ search }: { search: (text: string) => void }) {
  const words = useSearchWords();
  const examples = [
    [words.exampleWords, words.howWords],
    [words.examplePhrase, words.howPhrase],
    [words.examplePrefix, words.howPrefix],
    [words.examplePart, words.howPart],
  ] as const;
  return (
    <Empty title={words.howTitle} icon="search">
      <p>{words.howText}</p>
      <ul class="examples">
        {examples.map(([example, meaning]) => (
          <li key={example}>
            <button type="button" onClick={() => search(example)}>
              <code>{example}</code>
            </button>
            <span>{meaning}</span>
          </li>
        ))}
      </ul>
      <p>{words.howFilter}</p>
    </Empty>
  );
}

export function NoResults({ query }: { query: SearchQuery }) {
  const words = useSearchWords();
  const { q, kind, isExact } = query;
  const named = kind === "" ? "" : words[kind].toLocaleLowerCase();
  return (
    <Empty title={q === "" ? words.noneOfKind(named) : words.noneTitle(q)} icon="search">
      {kind !== "" && q !== "" && <p>{words.noneFiltered(named)}</p>}
      {isExact && <p>{words.noneExact}</p>}
      {(kind !== "" || isExact) && <Button onClick={() => setQuery({ type: null, exact: null })}>{words.clear}</Button>}
      <p>{words.noneHint}</p>
    </Empty>
  );
}

export function NothingSearchable({ query }: { query: SearchQuery }) {
  const words = useSearchWords();
  return (
    <Empty title={words.noWord(query.q)} icon="search">
      <p>{words.noWordText}</p>
      {!query.isExact && <Button onClick={() => setQuery({ exact: "1" })}>{words.exact}</Button>}
    </Empty>
  );
}
