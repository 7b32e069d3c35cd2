// History of a job: each status with time, actor and reason.

import type { JobAnswer } from "../../api/types";
import { moment } from "../../core/format";
import { StateBadge } from "./state_badge";
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
