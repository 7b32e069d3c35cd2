// Charts over time as SVG: stacked bars or lines, with a table for screen readers.

import { moment, number } from "../core/format";
import { locale } from "../core/locale";
import { useUiWords } from "./words";

export interface Series {
  name: string;
  /** One of the CSS classes series-1 to series-8, or that of a level. */
  tone: string;
  values: (number | null)[];
}

interface Props {
  title: string;
  /** Start of each column, ISO. */
  times: string[];
  series: Series[];
  kind?: "bars" | "lines";
  unit?: string;
}

const WIDTH = 320;
const HEIGHT = 110;
const BASE = 92;

export function Plot({ title, times, series, kind = "bars", unit = "" }: Props) {
  const words = useUiWords();
  const columns = times.map((_, n) => series.map((item) => item.values[n] ?? 0));
  const highest = Math.max(
    ...columns.map((values) =>
      kind === "bars" ? values.reduce((sum, item) => sum + item, 0) : Math.max(...values, 0),
    ),
    0,
  );
  const top = niceTop(highest);
  const step = WIDTH / Math.max(1, times.length);
  const format = (value: number) => `${number(value, value < 10 ? 1 : 0)}${unit && ` ${unit}`}`;
  return (
    <figure class="plot">
      <figcaption>
        <span>{title}</span>
        <span class="legend">
          {series.length > 1 &&
            series.map((item) => (
              <span key={item.name} class={item.tone}>
                {item.name}
              </span>
            ))}
        </span>
      </figcaption>
      {highest === 0 ? (
        <p class="nothing">{words.noData}</p>
      ) : (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
          {[0, 0.5, 1].map((share) => (
            <g key={share} class="grid">
              <line x1={0} x2={WIDTH} y1={BASE - share * 80} y2={BASE - share * 80} />
              <text x={0} y={BASE - share * 80 - 2}>
                {share === 0 ? "" : format(top * share)}
              </text>
            </g>
          ))}
          {kind === "bars"
            ? columns.map((values, n) => bars(values, n, series, step, top, `${moment(times[n] ?? "")}: `, format))
            : series.map((item) => (
                <g key={item.name} class={item.tone}>
                  <polyline
                    points={item.values
                      .map((value, n) => (value === null ? "" : `${(n + 0.5) * step},${BASE - (value / top) * 80}`))
                      .join(" ")}
                  />
                  {isolatedPoints(item.values).map((n) => (
                    <circle key={n} cx={(n + 0.5) * step} cy={BASE - ((item.values[n] ?? 0) / top) * 80} r={2} />
                  ))}
                </g>
              ))}
          <text class="axis" x={0} y={HEIGHT - 4}>
            {hourOf(times[0], times)}
          </text>
          <text class="axis end" x={WIDTH} y={HEIGHT - 4}>
            {hourOf(times.at(-1), times)}
          </text>
        </svg>
      )}
      {highest > 0 && <Numbers title={title} times={times} series={series} format={format} />}
    </figure>
  );
}

/** The table for screen readers: one row per column that has a value. */
function Numbers({
  title,
  times,
  series,
  format,
}: Pick<Props, "title" | "times" | "series"> & { format: (value: number) => string }) {
  return (
    <div class="unseen">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <td />
            {series.map((item) => (
              <th key={item.name} scope="col">
                {item.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map(
            (time, n) =>
              series.some((item) => item.values[n]) && (
                <tr key={time}>
                  <th scope="row">{moment(time)}</th>
                  {series.map((item) => (
                    <td key={item.name}>{format(item.values[n] ?? 0)}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function bars(
  values: number[],
  column: number,
  series: Series[],
  step: number,
  top: number,
  at: string,
  format: (value: number) => string,
) {
  let base = BASE;
  return values.map((value, n) => {
    const size = (value / top) * 80;
    base -= size;
    const item = series[n];
    return value === 0 ? null : (
      <rect
        key={`${column}-${n}`}
        class={item?.tone}
        x={column * step + step * 0.1}
        width={step * 0.8}
        y={base}
        height={Math.max(size, 1)}
      >
        <title>{`${at}${item?.name} ${format(value)}`}</title>
      </rect>
    );
  });
}

/** Columns with a value but without one beside them: a line alone would not show them. */
export function isolatedPoints(values: readonly (number | null)[]): number[] {
  const hasValue = (n: number) => (values[n] ?? null) !== null;
  return values.flatMap((_, n) => (hasValue(n) && !hasValue(n - 1) && !hasValue(n + 1) ? [n] : []));
}

/** The smallest 1, 2 or 5 times a power of ten that is not below the highest value. */
function niceTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const found = [1, 2, 5, 10].find((item) => item * power >= highest) ?? 10;
  return found * power;
}

const DAY_MS = 86_400_000;

/** The time of day, with the date where the chart spans more than half a day. */
function hourOf(iso: string | undefined, times: string[]): string {
  if (iso === undefined) return "";
  const span = new Date(times.at(-1) ?? iso).getTime() - new Date(times[0] ?? iso).getTime();
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const shown = span < DAY_MS / 2 ? time : ({ month: "short", day: "numeric", ...time } as const);
  return new Date(iso).toLocaleString(locale(), shown);
}
