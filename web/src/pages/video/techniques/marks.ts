// Marks of a video: loaded and kept fresh, changed with the version that each change expects, and undone.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, patch, post, remove } from "../../../api/client";
import type { NewMarkBody, TechniqueMarkAnswer, TechniqueMarksAnswer } from "../../../api/types";
import { useData } from "../../../api/use_data";
import { notifyError } from "../../../ui/toasts";

const REFRESH_MS = 4000;
const MAX_UNDO = 100;

export type MarkChanges = Partial<
  Pick<
    TechniqueMarkAnswer,
    "t_start" | "t_end" | "category" | "name" | "role" | "confidence" | "note" | "finished" | "state"
  >
>;

export interface MarksData {
  value: TechniqueMarksAnswer | undefined;
  error: ApiError | undefined;
  reload: () => void;
  /** Each resolves to whether it was done; a failure is shown. */
  add: (values: NewMarkBody) => Promise<boolean>;
  change: (mark: TechniqueMarkAnswer, changes: MarkChanges) => Promise<boolean>;
  remove: (mark: TechniqueMarkAnswer) => Promise<boolean>;
  /** Takes back the last change that was made here; null if there is none. */
  undo: (() => Promise<boolean>) | null;
}

/** `doneJob` is the newest analysis that has ended: it may have brought candidates. */
export function useMarks(videoId: string, isShown: boolean, doneJob: string | null): MarksData {
  const path = `/videos/${videoId}/marks`;
  const data = useData(`marks ${videoId}`, (signal) => get<TechniqueMarksAnswer>(path, { signal }), {
    every: isShown ? REFRESH_MS : null,
    merge: newest,
  });
  const { reload, set } = data;
  const [undos, setUndos] = useState<(() => Promise<void>)[]>([]);
  // The version that this page made last of each mark: undoing expects it, so that a change of somebody else is not overwritten.
  const own = useRef(new Map<string, number>());
  useEffect(() => {
    if (doneJob !== null) reload();
  }, [doneJob, reload]);

  const show = useCallback(
    (mark: TechniqueMarkAnswer, isThere = true) => {
      own.current.set(mark.id, mark.version);
      set((old) => old && withChange(old, mark, isThere));
      return mark;
    },
    [set],
  );
  const versionOf = (id: string) => own.current.get(id) ?? 0;
  const put = async (id: string, version: number, changes: MarkChanges) =>
    show(await patch<TechniqueMarkAnswer>(`${path}/${id}`, { body: { version, ...changes } }));
  const drop = async (id: string, version: number) =>
    show(await remove<TechniqueMarkAnswer>(`${path}/${id}`, { query: { version } }), false);
  const bring = async (id: string) =>
    show(await post<TechniqueMarkAnswer>(`${path}/${id}/restore`, { body: { version: versionOf(id) } }));

  const done = async (work: () => Promise<() => Promise<unknown>>): Promise<boolean> => {
    try {
      const inverse = await work();
      setUndos((all) => [
        ...all.slice(-MAX_UNDO + 1),
        async () => {
          await inverse();
        },
      ]);
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  };
  const failed = (error: unknown) => {
    notifyError(error);
    if (error instanceof ApiError && error.status === 409) reload();
  };
  const last = undos.at(-1);
  return {
    value: data.value,
    error: data.error,
    reload,
    add: (values) =>
      done(async () => {
        const mark = show(await post<TechniqueMarkAnswer>(path, { body: values }));
        return () => drop(mark.id, versionOf(mark.id));
      }),
    change: (mark, changes) =>
      done(async () => {
        await put(mark.id, mark.version, changes);
        const before = Object.fromEntries(
          Object.keys(changes).map((name) => [name, mark[name as keyof MarkChanges]]),
        ) as MarkChanges;
        return () => put(mark.id, versionOf(mark.id), before);
      }),
    remove: (mark) =>
      done(async () => {
        await drop(mark.id, mark.version);
        return () => bring(mark.id);
      }),
    undo:
      last === undefined
        ? null
        : async () => {
            setUndos((all) => all.slice(0, -1));
            try {
              await last();
              return true;
            } catch (error) {
              failed(error);
              return false;
            }
          },
  };
}

/** A reload that was under way while a mark was changed here has the marks from before. */
export function newest(shown: TechniqueMarksAnswer, loaded: TechniqueMarksAnswer): TechniqueMarksAnswer {
  return loaded.revision < shown.revision ? shown : loaded;
}

/** The marks after a change that was made here: one revision more, unless a reload that was answered earlier brought the change already. */
export function withChange(
  found: TechniqueMarksAnswer,
  mark: TechniqueMarkAnswer,
  isThere: boolean,
): TechniqueMarksAnswer {
  const shown = found.marks.find((item) => item.id === mark.id);
  const isKnown = isThere ? shown !== undefined && shown.version >= mark.version : shown === undefined;
  if (isKnown) return found;
  return { ...found, revision: found.revision + 1, marks: withMark(found.marks, mark, isThere) };
}

/** By time, as the server lists them. */
export function withMark(
  marks: TechniqueMarkAnswer[],
  mark: TechniqueMarkAnswer,
  isThere: boolean,
): TechniqueMarkAnswer[] {
  const others = marks.filter((item) => item.id !== mark.id);
  if (!isThere) return others;
  return [...others, mark].sort((a, b) => a.t_start - b.t_start || a.t_end - b.t_end || (a.id < b.id ? -1 : 1));
}

/** Other analyzers that found something of the same category at the same time. */
export function alsoFoundBy(mark: TechniqueMarkAnswer, marks: TechniqueMarkAnswer[]): string[] {
  const found = new Set<string>();
  for (const other of marks) {
    if (other.analyzer === null || other.analyzer === mark.analyzer || other.state === "rejected") continue;
    const overlap = Math.min(mark.t_end, other.t_end) - Math.max(mark.t_start, other.t_start);
    if (other.category === mark.category && overlap > 0) found.add(other.analyzer);
  }
  return [...found].sort();
}

/** Whether these marks were published as they are. Publishing them another time has to be asked for, with `again`. */
export function isPublished(found: TechniqueMarksAnswer): boolean {
  return found.published?.revision === found.revision;
}
