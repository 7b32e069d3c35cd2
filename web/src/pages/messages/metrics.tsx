// Delivery metrics of a period.

import type { ComponentChildren } from "preact";
import { get } from "../../api/client";
import type { MetricsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { duration, number, percent } from "../../core/format";
import { useQueryValue } from "../../core/router";
import { Choices, ErrorNote } from "../../ui/basics";
import { useMessageWords } from "./words";

const PERIODS = ["1h", "6h", "24h", "168h"] as const;
const REFRESH_MS = 10_000;
const FORBIDDEN = 403;

export function Metrics() {
  const words = useMessageWords();
  const [period, setPeriod] = useQueryValue("period", "24h");
  const data = useData(
    `metrics ${period}`,
    (signal) => get<MetricsAnswer>("/api/metrics", { query: { period }, signal }),
    { every: REFRESH_MS },
  );
  const found = data.value;
  const { created = 0, queued = 0, processing = 0, completed = 0, failed = 0 } = found?.counts ?? {};
  if (data.error?.status === FORBIDDEN) return <p class="soft">{words.forOperators}</p>;
  return (
    <section class="message-metrics" aria-label={words.total}>
      <Choices
        label={words.period}
        value={period}
        options={PERIODS.map((value) => ({ value: value as string, label: words[value] }))}
        choose={setPeriod}
      />
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <dl>
        <Metric name={words.total}>{found && number(found.total)}</Metric>
        <Metric name={words.completed}>{found && number(completed)}</Metric>
        <Metric name={words.waiting}>{found && number(created + queued + processing)}</Metric>
        <Metric name={words.failed} isBad={failed > 0}>
          {found && number(failed)}
        </Metric>
        <Metric name={words.successRate}>
          {found && (found.success_rate === null ? "–" : percent(found.success_rate))}
        </Metric>
        <Metric name={words.average}>
          {found && (found.average_processing_ms === null ? "–" : duration(found.average_processing_ms / 1000))}
        </Metric>
      </dl>
    </section>
  );
}

function Metric({ name, isBad = false, children }: { name: string; isBad?: boolean; children: ComponentChildren }) {
  return (
    <div class={isBad ? "bad" : ""}>
      <dt>{name}</dt>
      <dd class="number">{children ?? "…"}</dd>
    </div>
  );
}
