// Which day the timeline shows, and how much of it.

import { localInputDay, zoneName } from "../../core/format";
import { useLanguage } from "../../core/language";
import { Button, Choices } from "../../ui/basics";
import { dayOf } from "./timeline";
import { type Day, ZOOMS, type Zoom } from "./use_day";
import { useViewWords } from "./view_words";

export function DayBar({ day: shown }: { day: Day }) {
  const { day, today, view, zoom } = shown;
  const words = useViewWords();
  useLanguage();
  const labels = { day: words.wholeDay, "6h": words.sixHours, "1h": words.oneHour };
  return (
    <div class="day-bar">
      <div class="line">
        <Button icon="back" kind="quiet" iconOnly onClick={() => shown.move(-1)}>
          {zoom === "day" ? words.previousDay : words.earlier}
        </Button>
        <input
          type="date"
          aria-label={words.day}
          required
          max={localInputDay(today.from)}
          value={localInputDay(day.from)}
          onChange={({ currentTarget: { value } }) => {
            const noon = Date.parse(`${value}T12:00`);
            if (!Number.isNaN(noon)) shown.chooseDay(dayOf(noon));
          }}
        />
        <Button icon="next" kind="quiet" iconOnly disabled={view.to >= today.to} onClick={() => shown.move(1)}>
          {zoom === "day" ? words.nextDay : words.later}
        </Button>
        <span class="soft">{zoneName(new Date(day.from))}</span>
      </div>
      <Choices<Zoom>
        label={words.zoom}
        value={zoom}
        options={(Object.keys(ZOOMS) as Zoom[]).map((value) => ({ value, label: labels[value] }))}
        choose={shown.chooseZoom}
      />
    </div>
  );
}
