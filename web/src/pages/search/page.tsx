// Search page: finds on-screen text in all videos as the user types.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, type PageProps } from "../../core/addresses";
import { Link, navigate, setQuery } from "../../core/router";
import { useShortcuts } from "../../core/shortcuts";
import { Choices, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { VirtualList } from "../../ui/virtual_list";
import { NoResults, NothingSearchable, NoVideos, SearchHelp, useHasVideos } from "./empty_states";
import { Hit, hitId } from "./hit";
import { SimilarHeading, SimilarTo, useHasMeaning } from "./meaning";
import type { Row, VideoRow } from "./result_rows";
import { KINDS, useCurrent, useHits, useSearchQuery, useSearchText } from "./search_query";
import { useSearchWords } from "./words";

const HEADING_PX = 52;
const HIT_PX = 92;
const heightOf = (row: Row): number => (row.kind === "hit" ? HIT_PX : HEADING_PX);

export default function SearchPage(_: PageProps) {
  const words = useSearchWords();
  const query = useSearchQuery();
  const [text, setText] = useSearchText(query.q);
  const { rows, total, isStale, paged } = useHits(query);
  const hasVideos = useHasVideos();
  const hasMeaning = useHasMeaning();
  const box = useRef<HTMLInputElement>(null);
  const [current, move] = useCurrent(rows, JSON.stringify(query));
  const row = current === null ? undefined : rows[current];
  // A half-typed *part* or "phrase" has nothing to search for yet; that is not an error.
  const isUnsearchable = paged.error?.status === 422;
  const hasQuery = query.q !== "" || query.kind !== "" || query.like !== "";

  useEffect(() => {
    // On a phone, focusing the input would cover the results with the keyboard.
    if (query.q === "" || matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    // A search from the header continues here, where the list's shortcuts work.
    if (document.activeElement?.closest(".search-box")) box.current?.focus({ preventScroll: true });
  }, [query.q]);
  useLayoutEffect(() => {
    if (row?.kind === "hit") document.getElementById(hitId(row.hit))?.focus({ preventScroll: true });
  }, [row]);

  const step = (by: number) => {
    if (move(by) === null && by < 0) box.current?.focus();
  };
  const toBox = () => {
    box.current?.focus();
    box.current?.select();
  };
  const open = () => {
    const found = row ?? rows[1];
    if (found?.kind === "hit" && !isStale) navigate(found.hit.play_url);
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
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      // Text that has been typed but not searched is searched first.
      if (text.trim() === query.q) open();
      else setQuery({ q: text.trim() });
    }
  };

  return (
    <>
      <PageHeader title={words.title} />
      <div>
        <div class="search-input">
          <Icon name="search" />
          <input
            ref={box}
            type="search"
            value={text}
            maxLength={500}
            placeholder={words.placeholder}
            aria-label={words.box}
            aria-keyshortcuts="/"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={typed}
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
        <p class="soft total" role="status">
          {hasQuery && rows.length > 0 && words.hits(total)}
        </p>
        {rows.length > 0 && hasQuery ? (
          <div class={isStale ? "hits stale" : "hits"} aria-busy={isStale}>
            <VirtualList
              rows={rows}
              height={heightOf}
              rowKey={(item) => item.key}
              label={words.results}
              current={current}
              loadMore={paged.loadMore}
              isLoading={paged.isLoading && !isStale}
            >
              {(item) =>
                item.kind === "hit" ? (
                  <Hit hit={item.hit} isCurrent={item === row} hasMeaning={hasMeaning} />
                ) : item.kind === "video" ? (
                  <VideoHeading row={item} />
                ) : (
                  <SimilarHeading />
                )
              }
            </VirtualList>
          </div>
        ) : hasVideos === false ? (
          <NoVideos />
        ) : !hasQuery ? (
          <SearchHelp search={setText} />
        ) : isUnsearchable ? (
          <NothingSearchable query={query} />
        ) : (
          paged.error === undefined && (isStale ? <Loading /> : <NoResults query={query} />)
        )}
      </div>
    </>
  );
}

function VideoHeading({ row }: { row: VideoRow }) {
  const words = useSearchWords();
  return (
    <h2 class="of-video">
      <Link to={`${addressOf("videos")}/${row.videoId}`}>{row.name}</Link>
      <span class="soft number">{words.hits(row.count)}</span>
    </h2>
  );
}
