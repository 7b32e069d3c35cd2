// What stands where there are no hits: how to ask, that there is nothing to search, or that nothing was found and why.

import { get } from "../../api/client";
import type { VideosAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { Link, setQuery } from "../../app/router";
import { addressOf } from "../../app/routes";
import { Button, Empty } from "../../ui/basics";
import type { Question } from "./question";
import { useSearchWords } from "./words";

/** Null as long as nobody knows. */
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

export function HowToAsk({ ask }: { ask: (text: string) => void }) {
  const words = useSearchWords();
  const ways = [
    [words.exampleWords, words.howWords],
    [words.examplePhrase, words.howPhrase],
    [words.examplePrefix, words.howPrefix],
    [words.examplePart, words.howPart],
  ] as const;
  return (
    <Empty title={words.howTitle} icon="search">
      <p>{words.howText}</p>
      <ul class="ways">
        {ways.map(([example, meaning]) => (
          <li key={example}>
            <button type="button" onClick={() => ask(example)}>
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

export function NoHits({ question }: { question: Question }) {
  const words = useSearchWords();
  const { q, kind, isExact } = question;
  const named = kind === "" ? "" : words[kind].toLocaleLowerCase();
  return (
    <Empty title={q === "" ? words.noneOfKind(named) : words.noneTitle(q)} icon="search">
      {kind !== "" && q !== "" && <p>{words.noneFiltered(named)}</p>}
      {isExact && <p>{words.noneExact}</p>}
      {(kind !== "" || isExact) && (
        <Button onClick={() => setQuery({ type: null, exact: null })}>{words.clear}</Button>
      )}
      <p>{words.noneHint}</p>
    </Empty>
  );
}

export function NoWord({ question }: { question: Question }) {
  const words = useSearchWords();
  return (
    <Empty title={words.noWord(question.q)} icon="search">
      <p>{words.noWordText}</p>
      {!question.isExact && <Button onClick={() => setQuery({ exact: "1" })}>{words.exact}</Button>}
    </Empty>
  );
}
