// How often the rule in the form would have alerted in the last week.

import { useState } from "preact/hooks";
import { type ApiError, post } from "../../api/client";
import type { RuleBody, RuleTrialAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { Link } from "../../core/router";
import { Button, ErrorNote } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { useRuleWords } from "./rule_words";

const SHOWN = 5;

export function RuleTrial({ body }: { body: () => RuleBody }) {
  const words = useRuleWords();
  const summary = useEventSummary();
  const [tried, setTried] = useState<RuleTrialAnswer | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const run = () => {
    const { name: _, ...unnamed } = body();
    post<RuleTrialAnswer>("/api/alert-rules/trial", { body: unnamed, query: { limit: SHOWN } }).then(
      (found) => {
        setTried(found);
        setError(null);
      },
      (failed: ApiError) => setError(failed),
    );
  };
  return (
    <div class="stack">
      <div class="line">
        <Button onClick={run}>{words.trial}</Button>
        <span role="status">{tried !== null && words.trialResult(tried.fired, tried.looked_at, tried.days)}</span>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {tried !== null && tried.events.length > 0 && (
        <ul>
          {tried.events.map((event) => (
            <li key={event.id}>
              <Link to={`${ROOT}/events/${event.id}`}>{summary(event)}</Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
