// Empty states of the search page: help, no videos, no results.

import { type ApiError, get } from "../../api/client";
import type { VideosAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { forgetSearches, useRecentSearches } from "../../core/recent_searches";
import { Link, setQuery } from "../../core/router";
import { Button, Empty } from "../../ui/basics";
import { addressOfSearch, useSavedSearches } from "./saved_searches";
import { clearFilters, isNarrowed, type SearchQuery } from "./search_query";
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

export function SearchHelp({ search, user }: { search: (text: string) => void; user: string | undefined }) {
  const words = useSearchWords();
  const examples = [
    [words.exampleWords, words.howWords],
    [words.examplePhrase, words.howPhrase],
    [words.examplePrefix, words.howPrefix],
    [words.examplePart, words.howPart],
    [words.exampleWithout, words.howWithout],
    [words.exampleSaid, words.howSaid],
    [words.exampleIn, words.howIn],
    [words.exampleAfter, words.howAfter],
  ] as const;
  return (
    <>
      <EarlierSearches user={user} />
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
    </>
  );
}

/** Searches that can be run again: recent ones of this browser, and saved ones. */
function EarlierSearches({ user }: { user: string | undefined }) {
  const words = useSearchWords();
  const recent = useRecentSearches(user);
  const saved = useSavedSearches().value?.searches ?? [];
  return (
    <div class="earlier">
      {saved.length > 0 && (
        <section>
          <h2>{words.savedTitle}</h2>
          <ul>
            {saved.slice(0, 8).map((search) => (
              <li key={search.search_id}>
                <Link to={addressOfSearch(search.q)}>{search.name}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.length > 0 && user !== undefined && (
        <section>
          <h2>{words.recent}</h2>
          <ul>
            {recent.map((q) => (
              <li key={q}>
                <Link to={addressOfSearch(q)}>{q}</Link>
              </li>
            ))}
          </ul>
          <Button kind="quiet" onClick={() => forgetSearches(user)}>
            {words.forget}
          </Button>
        </section>
      )}
    </div>
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
      {isNarrowed(query) && <Button onClick={clearFilters}>{words.clear}</Button>}
      <p>{words.noneHint}</p>
    </Empty>
  );
}

export function NothingSearchable({ query, error }: { query: SearchQuery; error: ApiError | undefined }) {
  const words = useSearchWords();
  if (error?.details.reason === "operator") {
    return (
      <Empty title={words.operatorTitle} icon="search">
        <p>{error.message.replace(/^q: /, "")}</p>
      </Empty>
    );
  }
  return (
    <Empty title={words.noWord(query.q)} icon="search">
      <p>{words.noWordText}</p>
      {!query.isExact && <Button onClick={() => setQuery({ exact: "1" })}>{words.exact}</Button>}
    </Empty>
  );
}
