// The test of an address: a picture from the camera, or why there is none and what to do.

import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, post } from "../../api/client";
import type { TriedSourceAnswer } from "../../api/types";
import { duration } from "../../core/format";
import { Button, ErrorNote } from "../../ui/basics";
import { problemText, useProblemWords } from "./problem_words";
import { connectionOf, type SourceValues } from "./source_values";
import { useSourceWords } from "./source_words";

export function SourceTest({ values, cameraId }: { values: SourceValues; cameraId: string | null }) {
  const words = useSourceWords();
  const problems = useProblemWords();
  const [result, setResult] = useState<TriedSourceAnswer | ApiError | null>(null);
  const running = useRef<AbortController | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const connection = JSON.stringify(connectionOf(values));
  // The result belongs to what was tested.
  useEffect(() => {
    setResult(null);
    return () => running.current?.abort();
  }, [connection]);
  const run = async () => {
    const abort = new AbortController();
    running.current?.abort();
    running.current = abort;
    setIsRunning(true);
    setResult(null);
    try {
      const body = { source: connectionOf(values), camera_id: cameraId };
      setResult(await post<TriedSourceAnswer>("/api/cameras/test", { body, signal: abort.signal }));
    } catch (error) {
      if (!abort.signal.aborted) setResult(inWords(error));
    } finally {
      if (running.current === abort) setIsRunning(false);
    }
  };
  const inWords = (error: unknown): ApiError => {
    if (!(error instanceof ApiError)) return new ApiError(0, "UNEXPECTED", String(error));
    const text = problemText(problems, error.details.reason, error.message);
    return new ApiError(error.status, error.code, text, error.details);
  };
  return (
    <div class="source-test">
      <div class="test-picture">
        {result !== null && !(result instanceof ApiError) ? (
          <img src={result.picture} alt={words.testPicture} />
        ) : (
          <span class="soft">{isRunning ? words.testing : words.testFirst}</span>
        )}
      </div>
      <div class="line">
        <Button icon="play" disabled={isRunning || values.address.trim() === ""} onClick={() => void run()}>
          {words.test}
        </Button>
        <span class="soft" role="status">
          {isRunning && words.testing}
          {result !== null &&
            !(result instanceof ApiError) &&
            words.testResult(result.width, result.height, result.codec, duration(result.took_ms / 1000))}
        </span>
      </div>
      {result instanceof ApiError && <ErrorNote error={result} />}
    </div>
  );
}
