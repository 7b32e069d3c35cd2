// What became of the messages of the last hours, in numbers.

import type { ComponentChildren } from "preact";
import { get } from "../../api/client";
import type { MetricsAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { duration, number, percent } from "../../app/format";
import { useQueryValue } from "../../app/router";
import { Choices, ErrorNote } from "../../ui/basics";
import { useMessageWords } from "./words";

const PERIODS = ["1h", "6h", "24h", "168h"] as const;
const EVERY_MS = 10_000;
const FORBIDDEN = 403;

export function Figures() {
  const words = useMessageWords();
  const [period, setPeriod] = useQueryValue("period", "24h");
  const data = useData(
    `metrics ${period}`,
    (signal) => get<MetricsAnswer>("/api/metrics", { query: { period }, signal }),
    { every: EVERY_MS },
  );
  const found = data.value;
  const { created = 0, queued = 0, processing = 0, completed = 0, failed = 0 } = found?.counts ?? {};
  if (data.error?.status === FORBIDDEN) return <p class="soft">{words.forOperators}</p>;
  return (
    <section class="message-figures" aria-label={words.total}>
      <Choices
        label={words.period}
        value={period}
        options={PERIODS.map((value) => ({ value: value as string, label: words[value] }))}
        choose={setPeriod}
      />
      {data.error && <ErrorNote error={data.error} again={data.reload} />}
      <dl>
        <Figure name={words.total}>{found && number(found.total)}</Figure>
        <Figure name={words.completed}>{found && number(completed)}</Figure>
        <Figure name={words.waiting}>{found && number(created + queued + processing)}</Figure>
        <Figure name={words.failed} isBad={failed > 0}>
          {found && number(failed)}
        </Figure>
        <Figure name={words.successRate}>{found && (found.success_rate === null ? "–" : percent(found.success_rate))}</Figure>
        <Figure name={words.average}>
          {found && (found.average_processing_ms === null ? "–" : duration(found.average_processing_ms / 1000))}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({ name, isBad = false, children }: { name: string; isBad?: boolean; children: ComponentChildren }) {
  return (
    <div class={isBad ? "bad" : ""}>
      <dt>{name}</dt>
      <dd class="number">{children ?? "…"}</dd>
    </div>
  );
}
