// Test of an alert rule on recent events: which match, and why the others do not.

import { post } from "../../api/client";
import type { RuleTestAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { Link } from "../../core/router";
import { ErrorNote, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { useEventSummary } from "../../ui/event_summary";
import { type RuleWords, useRuleWords } from "./rule_words";

export function RuleTest({ ruleId, name, close }: { ruleId: number; name: string; close: () => void }) {
  const words = useRuleWords();
  const summary = useEventSummary();
  const data = useData(`test ${ruleId}`, (signal) =>
    post<RuleTestAnswer>(`/api/alert-rules/${ruleId}/test`, { query: { limit: 50 }, signal }),
  );
  const tried = data.value;
  return (
    <Dialog title={words.testTitle(name)} close={close}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {tried === undefined && data.isLoading && <Loading />}
      {tried !== undefined && (
        <div class="stack rule-test">
          <p>{words.lookedAt(tried.looked_at)}</p>
          <h3>{words.matched(tried.matched.length)}</h3>
          <ul>
            {tried.matched.map((event) => (
              <li key={event.id}>
                <Link to={`${ROOT}/events/${event.id}`}>{summary(event)}</Link>
              </li>
            ))}
          </ul>
          <h3>{words.others(tried.others.length)}</h3>
          <ul>
            {tried.others.map(({ event, unmet }) => (
              <li key={event.id}>
                <Link to={`${ROOT}/events/${event.id}`}>{summary(event)}</Link>{" "}
                <span class="soft">{words.because(unmet.map((item) => nameOf(item, words)).join(", "))}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

function nameOf(condition: string, words: RuleWords): string {
  const key = condition === "zones" ? "zone_names" : condition;
  const word = words[key as keyof RuleWords];
  return typeof word === "string" ? word : condition;
}
