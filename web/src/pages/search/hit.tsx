// One search result: frame, time, highlighted text, and whether it may be something else.

import { useState } from "preact/hooks";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { Badge } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { highlightedPieces } from "./highlight";
import type { FoundHit } from "./result_rows";
import { useSearchWords } from "./words";

export const hitId = (hit: FoundHit): string => `hit-${hit.segment_id}`;

export function Hit({ hit, isCurrent }: { hit: FoundHit; isCurrent: boolean }) {
  const words = useSearchWords();
  const [isMissing, setIsMissing] = useState(false);
  return (
    <Link to={hit.play_url} id={hitId(hit)} class={`hit ${isCurrent ? "current" : ""}`}>
      <span class="thumb">
        {isMissing ? (
          <Icon name="frame" />
        ) : (
          <img src={hit.thumbnail_url} alt="" loading="lazy" decoding="async" onError={() => setIsMissing(true)} />
        )}
      </span>
      <span class="what">
        <span class="text">
          {hit.lines.map((line, at) => (
            <span key={line.segment_id}>
              {at > 0 && <span class="soft"> / </span>}
              {highlightedPieces(line.text, line.highlights).map((piece, n) =>
                piece.isFound ? <mark key={n}>{piece.text}</mark> : <span key={n}>{piece.text}</span>,
              )}
            </span>
          ))}
        </span>
        <span class="facts">
          <span class="number at">{clock(hit.t_start)}</span>
          {hit.kind === "speech" && <Badge icon="message">{words.said}</Badge>}
          {hit.scope === "moment" && <Badge>{words.onScreenTogether}</Badge>}
          {hit.unsure && <Badge tone="warn">{words.unsure}</Badge>}
          {hit.match === "slip" && (
            <Badge tone="warn" icon="info">
              {words.slip}
            </Badge>
          )}
        </span>
      </span>
    </Link>
  );
}
