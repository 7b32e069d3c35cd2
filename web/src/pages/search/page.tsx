// Search: every word that was on screen, across videos, while it is typed.

import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/keys";
import { Link, navigate, setQuery } from "../../app/router";
import { type PageProps, addressOf } from "../../app/routes";
import { Choices, ErrorNote, Head, Loading } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { LongList } from "../../ui/long_list";
import type { Row, VideoRow } from "./groups";
import { Hit, hitId } from "./hit";
import { HowToAsk, NoHits, NoVideos, NoWord, useHasVideos } from "./nothing";
import { KINDS, useCurrent, useHits, useQuestion, useTyped } from "./question";
import { useSearchWords } from "./words";

const HEADING_PX = 52;
const HIT_PX = 92;
const heightOf = (row: Row): number => (row.kind === "video" ? HEADING_PX : HIT_PX);

export default function SearchPage(_: PageProps) {
  const words = useSearchWords();
  const question = useQuestion();
  const [text, setText] = useTyped(question.q);
  const { rows, total, isOld, paged } = useHits(question);
  const hasVideos = useHasVideos();
  const box = useRef<HTMLInputElement>(null);
  const [current, move] = useCurrent(rows, JSON.stringify(question));
  const row = current === null ? undefined : rows[current];
  // On the way to *part* or "a phrase" there is no word yet; that is no failure.
  const isWordless = paged.error?.status === 422;
  const isAsked = question.q !== "" || question.kind !== "";

  useEffect(() => {
    // Somebody who came with a question on a phone wants to see hits, not the keyboard over them.
    if (question.q === "" || matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    // What was asked in the bar goes on here, where the keys of the list are.
    if (document.activeElement?.closest(".search-box")) box.current?.focus({ preventScroll: true });
  }, [question.q]);
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
    if (found?.kind === "hit" && !isOld) navigate(found.hit.play_url);
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
      // What is typed and not yet asked for is asked for first.
      if (text.trim() === question.q) open();
      else setQuery({ q: text.trim() });
    }
  };

  return (
    <>
      <Head title={words.title} />
      <div class="search-page">
        <div class="ask">
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
            value={question.kind}
            options={(["", ...KINDS] as const).map((value) => ({ value, label: words[value === "" ? "all" : value] }))}
            choose={(value) => setQuery({ type: value })}
          />
          <label class="exact">
            <input
              type="checkbox"
              checked={question.isExact}
              onChange={(event) => setQuery({ exact: event.currentTarget.checked ? "1" : null })}
            />
            {words.exact}
          </label>
        </div>
        {paged.error && !isWordless && <ErrorNote error={paged.error} again={paged.reload} />}
        <p class="soft total" role="status">
          {isAsked && rows.length > 0 && words.hits(total)}
        </p>
        {rows.length > 0 && isAsked ? (
          <div class={isOld ? "hits old" : "hits"} aria-busy={isOld}>
            <LongList
              rows={rows}
              height={heightOf}
              rowKey={(one) => one.key}
              label={words.results}
              current={current}
              more={paged.more}
              isLoading={paged.isLoading && !isOld}
            >
              {(one) => (one.kind === "hit" ? <Hit hit={one.hit} isCurrent={one === row} /> : <VideoHeading row={one} />)}
            </LongList>
          </div>
        ) : hasVideos === false ? (
          <NoVideos />
        ) : !isAsked ? (
          <HowToAsk ask={setText} />
        ) : isWordless ? (
          <NoWord question={question} />
        ) : paged.error === undefined && (isOld ? <Loading /> : <NoHits question={question} />)}
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
