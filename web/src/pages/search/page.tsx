// Search page: finds what is shown or said in all videos, and names, as the user types.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { HitAnswer } from "../../api/types";
import { useMe } from "../../api/use_me";
import { addressOf, type PageProps } from "../../core/addresses";
import { useMinWidth } from "../../core/element_size";
import { rememberSearch } from "../../core/recent_searches";
import { Link, navigate, setQuery, useLocation } from "../../core/router";
import { useShortcuts } from "../../core/shortcuts";
import { Button, Choices, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { SearchInput } from "../../ui/search_input";
import { VirtualList } from "../../ui/virtual_list";
import { NoResults, NothingSearchable, NoVideos, SearchHelp, useHasVideos } from "./empty_states";
import { Facets } from "./facets";
import { Hit, hitId } from "./hit";
import { SimilarHeading, SimilarTo, useHasMeaning } from "./meaning";
import { NamedHits } from "./named_hits";
import { Preview } from "./preview";
import type { Row } from "./result_rows";
import { SaveSearch } from "./save_search";
import { SavedSearches } from "./saved_searches";
import {
  asWritten,
  isAsking,
  KINDS,
  SORTS,
  type Sort,
  useCurrent,
  useResults,
  useSearchQuery,
  useSearchText,
} from "./search_query";
import { VideoGroup } from "./video_group";
import { useSearchWords } from "./words";

const GROUP_PX = 300;
const HIT_PX = 116;
/** Narrower windows have no room for a preview beside filters and results. */
const PREVIEW_MIN_WIDTH_PX = 1180;
const REMEMBER_AFTER_MS = 3000;
const HEADING_PX = 52;
const HEIGHTS_PX = { group: GROUP_PX, hit: HIT_PX, similar: HEADING_PX };
const heightOf = (row: Row): number => HEIGHTS_PX[row.kind];

export default function SearchPage(_: PageProps) {
  const words = useSearchWords();
  const isSaved = useLocation().query.get("view") === "saved";
  return (
    <>
      <PageHeader title={isSaved ? words.savedTitle : words.title}>
        <Link class="button" to={isSaved ? addressOf("search") : `${addressOf("search")}?view=saved`}>
          {isSaved ? words.toSearch : words.savedTitle}
        </Link>
      </PageHeader>
      {isSaved ? <SavedSearches /> : <Search />}
    </>
  );
}

function Search() {
  const words = useSearchWords();
  const query = useSearchQuery();
  const user = useMe().value?.user_id;
  const [text, setText] = useSearchText(query.q);
  const { rows, moments, total, videos, named, facets, isPartial, isStale, paged } = useResults(query);
  const hasVideos = useHasVideos();
  const hasMeaning = useHasMeaning();
  const box = useRef<HTMLInputElement>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [current, move] = useCurrent(moments, JSON.stringify(query));
  // A half-typed *part*, "phrase" or operator has nothing to search for yet; that is not an error.
  const isUnsearchable = paged.error?.status === 422;
  const isWide = useMinWidth(PREVIEW_MIN_WIDTH_PX);
  const [pointed, setPointed] = useState<HitAnswer | null>(null);
  useEffect(() => setPointed(null), [current, query.q]);
  const hasQuery = isAsking(query);
  const hasResults = hasQuery && (rows.length > 0 || named.length > 0);

  useEffect(() => {
    // On a phone, focusing the input would cover the results with the keyboard.
    if (query.q === "" || matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    // A search from the header continues here, where the list's shortcuts work.
    if (document.activeElement?.closest(".search-box")) box.current?.focus({ preventScroll: true });
  }, [query.q]);
  useEffect(() => {
    if (user === undefined || query.q === "" || !hasResults || isStale) return;
    const timer = setTimeout(() => rememberSearch(user, query.q), REMEMBER_AFTER_MS);
    return () => clearTimeout(timer);
  }, [user, query.q, hasResults, isStale]);
  useLayoutEffect(() => {
    const shown = current && document.getElementById(hitId(current.hit));
    shown?.focus({ preventScroll: true });
    shown?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [current]);

  const step = (by: number) => {
    if (move(by) === null && by < 0) box.current?.focus();
  };
  const toBox = () => {
    box.current?.focus();
    box.current?.select();
  };
  const remember = (q: string) => user !== undefined && rememberSearch(user, q);
  const open = () => {
    const found = current ?? moments[0];
    if (found === undefined || isStale) return;
    remember(query.q);
    navigate(found.hit.play_url);
  };
  useShortcuts([
    { keys: "/", help: words.focus, run: toBox },
    { keys: "j", help: words.next, run: () => step(1) },
    { keys: "k", help: words.previous, run: () => step(-1) },
    { keys: "ArrowDown", help: words.next, run: () => step(1) },
    { keys: "ArrowUp", help: words.previous, run: () => step(-1) },
    { keys: "Enter", help: words.open, run: open },
  ]);
  const typed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      step(1);
    } else if (event.key === "Escape" && text === "") {
      box.current?.blur();
    } else if (event.key === "Enter") {
      event.preventDefault();
      // Text that has been typed but not searched is searched first.
      if (text.trim() === query.q) open();
      else setQuery({ q: text.trim() });
    }
  };

  return (
    <div>
      <div class="search-input">
        <SearchInput
          text={text}
          label={words.box}
          placeholder={words.placeholder}
          user={user}
          box={box}
          type={setText}
          choose={(q, isWhole) => {
            setText(q);
            if (isWhole) setQuery({ q: q.trim() });
          }}
          onKey={typed}
        />
      </div>
      <div class="line narrowing">
        <Choices
          label={words.kinds}
          value={query.kind}
          options={(["", ...KINDS] as const).map((value) => ({ value, label: words[value === "" ? "all" : value] }))}
          choose={(value) => setQuery({ type: value })}
        />
        <label class="exact">
          <input
            type="checkbox"
            checked={query.isExact}
            onChange={(event) => setQuery({ exact: event.currentTarget.checked ? "1" : null })}
          />
          {words.exact}
        </label>
      </div>
      {query.like !== "" && <SimilarTo />}
      {paged.error && !isUnsearchable && <ErrorNote error={paged.error} retry={paged.reload} />}
      <div class="line summary">
        <p class="soft total" role="status">
          {hasResults && words.hits(total)}
          {hasResults && videos !== null && total > 0 && ` ${words.inVideos(videos)}`}
          {hasResults && isPartial && ` · ${words.partial}`}
        </p>
        {hasResults && (
          <span class="line">
            <label class="line sort">
              <span class="soft">{words.sort}</span>
              <select
                aria-label={words.sort}
                value={query.sort}
                onChange={(event) => setQuery({ sort: sortValue(event.currentTarget.value) })}
              >
                {SORTS.map((sort) => (
                  <option key={sort} value={sort}>
                    {words.sorts(sort)}
                  </option>
                ))}
              </select>
            </label>
            {!query.isExact && (
              <Button icon="add" onClick={() => setIsSaving(true)}>
                {words.save}
              </Button>
            )}
          </span>
        )}
      </div>
      {hasResults ? (
        <div class={isStale ? "results stale" : "results"} aria-busy={isStale}>
          <Facets facets={facets} query={query} />
          <div class="hits">
            <NamedHits hits={named} />
            <VirtualList
              rows={rows}
              height={heightOf}
              rowKey={(item) => item.key}
              label={words.results}
              current={current?.row ?? null}
              loadMore={paged.loadMore}
              isLoading={paged.isLoading && !isStale}
            >
              {(item) =>
                item.kind === "similar" ? (
                  <SimilarHeading />
                ) : item.kind === "hit" ? (
                  <Hit
                    hit={item.hit}
                    isCurrent={item.hit === current?.hit}
                    form="line"
                    hasMeaning={hasMeaning}
                    point={setPointed}
                  />
                ) : (
                  <VideoGroup
                    group={item.group}
                    current={current?.hit ?? null}
                    hasMeaning={hasMeaning}
                    point={setPointed}
                  />
                )
              }
            </VirtualList>
          </div>
          {isWide && <Preview hit={current?.hit ?? pointed ?? moments[0]?.hit ?? null} />}
        </div>
      ) : hasVideos === false ? (
        <NoVideos />
      ) : !hasQuery ? (
        <SearchHelp search={setText} user={user} />
      ) : isUnsearchable ? (
        <NothingSearchable query={query} error={paged.error} />
      ) : (
        paged.error === undefined && (isStale ? <Loading /> : <NoResults query={query} />)
      )}
      {isSaving && <SaveSearch q={asWritten(query)} close={() => setIsSaving(false)} />}
    </div>
  );
}

const sortValue = (text: string): Sort | null => (text === "best" ? null : (text as Sort));
