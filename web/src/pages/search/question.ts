// What is asked for, as it stands in the address, and the hits that answer it. Typing changes the address once it rests.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { SearchAnswer } from "../../api/types";
import { useRested } from "../../app/data";
import { type Paged, usePaged } from "../../app/pages_list";
import { setQuery, usePlace } from "../../app/router";
import { type Found, type Row, rowsOf } from "./groups";

export const KINDS = ["mention", "hashtag", "url", "emoji", "number"] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  q: string;
  kind: Kind | "";
  isExact: boolean;
}

const RESTS_MS = 180;
const PAGE = 50;

export function useQuestion(): Question {
  const { query } = usePlace();
  const kind = query.get("type") ?? "";
  return {
    q: query.get("q") ?? "",
    kind: (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : "",
    isExact: query.get("exact") === "1",
  };
}

/** The text in the box. The address follows it; and it follows the address when that is changed elsewhere. */
export function useTyped(q: string): [string, (text: string) => void] {
  const [text, setText] = useState(q);
  const rested = useRested(text.trim(), RESTS_MS);
  const written = useRef(q);
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (rested === written.current) return;
    written.current = rested;
    setQuery({ q: rested });
  }, [rested]);
  return [text, setText];
}

export interface Hits {
  rows: Row[];
  total: number;
  /** The rows answer another question: the last one, until this one is answered. */
  isOld: boolean;
  paged: Paged<Found>;
}

export function useHits({ q, kind, isExact }: Question): Hits {
  const key = JSON.stringify([q, kind, isExact]);
  const isNothing = q === "" && kind === "";
  const totals = useRef(new Map<string, number>());
  const load = async (cursor: string | null, signal: AbortSignal) => {
    if (isNothing) return { rows: [], next: null };
    const page = Number(cursor ?? "1");
    const query = { q, entity_type: kind, match: isExact ? "substring" : "words", page, page_size: PAGE };
    const answer = await get<SearchAnswer>("/search", { query, signal });
    totals.current.set(key, answer.total);
    const rows = answer.hits.map((hit) => ({ ...hit, page }));
    return { rows, next: page * PAGE < answer.total && rows.length > 0 ? String(page + 1) : null };
  };
  const paged = usePaged(key, load);
  const last = useRef<{ hits: Found[]; total: number }>({ hits: [], total: 0 });
  const isOld = paged.isLoading && paged.rows.length === 0;
  if (!isOld) last.current = { hits: paged.rows, total: totals.current.get(key) ?? 0 };
  const { hits, total } = last.current;
  const rows = useMemo(() => rowsOf(hits), [hits]);
  return { rows, total, isOld, paged };
}

/** Which hit is the current one, by its row; moved by keys. */
export function useCurrent(rows: Row[], key: string): [number | null, (step: number) => number | null] {
  const [at, setAt] = useState<{ key: string; row: number } | null>(null);
  const current = at !== null && at.key === key && at.row < rows.length ? at.row : null;
  const move = useCallback(
    (step: number) => {
      let next = current ?? (step > 0 ? -1 : rows.length);
      do next += step;
      while (rows[next]?.kind === "video");
      const found = rows[next] === undefined ? null : next;
      // Below the last hit one stays on it; above the first one is back in the box.
      if (found === null && step > 0) return current;
      setAt(found === null ? null : { key, row: found });
      return found;
    },
    [rows, current, key],
  );
  return [current, move];
}
