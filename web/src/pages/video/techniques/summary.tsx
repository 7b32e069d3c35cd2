// Summary of the match: per athlete, time in each category, and techniques tried and finished.

import { get } from "../../../api/client";
import type { AthleteSummaryAnswer, MatchSummaryAnswer } from "../../../api/types";
import { useData } from "../../../api/use_data";
import { duration } from "../../../core/format";
import { ErrorNote } from "../../../ui/basics";
import { colourOf, useCategoryNames } from "./categories";
import { useSummaryWords } from "./summary_words";

export function Summary({ videoId, version }: { videoId: string; version: string }) {
  const words = useSummaryWords();
  const summary = useData(`summary ${videoId} ${version}`, (signal) =>
    get<MatchSummaryAnswer>(`/videos/${videoId}/techniques/summary`, { signal }),
  );
  if (summary.error) return <ErrorNote error={summary.error} retry={summary.reload} />;
  const found = summary.value;
  if (found === undefined || found.of === "nothing") return null;
  return (
    <section class="match-summary stack" aria-label={words.summary}>
      <h2>{words.summary}</h2>
      {found.of === "analysis" && <p class="soft">{words.ofAnalysis}</p>}
      {found.athletes.map((athlete) => (
        <Athlete key={athlete.role} athlete={athlete} />
      ))}
    </section>
  );
}

function Athlete({ athlete }: { athlete: AthleteSummaryAnswer }) {
  const words = useSummaryWords();
  const categories = useCategoryNames();
  const total = athlete.categories.reduce((sum, item) => sum + item.ms, 0);
  return (
    <div class="stack athlete">
      <h3>
        {athlete.role} <span class="soft number">{duration(athlete.ms / 1000)}</span>
      </h3>
      <div class="share-bar" aria-hidden="true">
        {athlete.categories.map((item) => (
          <span key={item.category} class={colourOf(item.category)} style={{ flexGrow: item.ms / (total || 1) }} />
        ))}
      </div>
      <table>
        <thead>
          <tr>
            <th>{words.technique}</th>
            <th class="count">{words.time}</th>
            <th class="count">{words.tried}</th>
            <th class="count">{words.finished}</th>
          </tr>
        </thead>
        {athlete.categories.map((item) => (
          <tbody key={item.category}>
            <tr>
              <th scope="rowgroup">
                <span class={`dot ${colourOf(item.category)}`} /> {categories[item.category]}
              </th>
              <td class="count">{duration(item.ms / 1000)}</td>
              <td class="count">{item.tried}</td>
              <td class="count">{item.finished}</td>
            </tr>
            {athlete.techniques
              .filter((one) => one.category === item.category)
              .map((one) => (
                <tr key={one.name}>
                  <td>{one.name}</td>
                  <td />
                  <td class="count">{one.tried}</td>
                  <td class="count">{one.finished}</td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
