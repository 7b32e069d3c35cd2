// Every state that a job was in: when, by whom, and why.

import type { JobAnswer } from "../../api/types";
import { moment } from "../../app/format";
import { StateBadge } from "./state";
import { useJobWords } from "./words";

export function JobHistory({ moves }: { moves: JobAnswer["history"] }) {
  const words = useJobWords();
  return (
    <section>
      <h3>{words.history}</h3>
      <ol class="timeline">
        {moves.map((move, n) => (
          <li key={n}>
            <span class="line">
              <StateBadge state={move.status} />
              <time dateTime={move.at}>{moment(move.at)}</time>
              {move.by !== null && <span class="soft">{words.by(move.by)}</span>}
            </span>
            {move.note !== null && <p class="note-text">{move.note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
