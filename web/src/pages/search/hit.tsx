// One search result: frame, time, highlighted text and confidence.

import { useState } from "preact/hooks";
import { clock, percent } from "../../core/format";
import { Link } from "../../core/router";
import { Badge } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { highlightedPieces } from "./highlight";
import { MoreLikeThis } from "./meaning";
import type { FoundHit } from "./result_rows";
import { useSearchWords } from "./words";

export const hitId = (hit: FoundHit): string => `hit-${hit.segment_id}`;

export function Hit({ hit, isCurrent, hasMeaning }: { hit: FoundHit; isCurrent: boolean; hasMeaning: boolean }) {
  const words = useSearchWords();
  const [isMissing, setIsMissing] = useState(false);
  const link = (
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
          {highlightedPieces(hit.text, hit.highlights).map((piece, n) =>
            piece.isFound ? <mark key={n}>{piece.text}</mark> : <span key={n}>{piece.text}</span>,
          )}
        </span>
        <span class="facts">
          <span class="number at">{clock(hit.t_start)}</span>
          {hit.matched === "meaning" && <span class="video-name">{hit.video_name}</span>}
          <span class="number" title={words.confidence(percent(hit.confidence))}>
            {percent(hit.confidence)}
            <span class="unseen"> {words.confidence(percent(hit.confidence))}</span>
          </span>
          {hit.kind === "speech" && <Badge icon="message">{words.said}</Badge>}
          {hit.match === "slip" && (
            <Badge tone="warn" icon="info">
              {words.slip}
            </Badge>
          )}
        </span>
      </span>
    </Link>
  );
  return hasMeaning ? (
    <div class="with-more">
      {link}
      <MoreLikeThis segmentId={hit.segment_id} />
    </div>
  ) : (
    link
  );
}
