// One search result: frame, time and highlighted text; as a line of a list, or as a tile of a strip.

import { useState } from "preact/hooks";
import type { HitAnswer, MarkAnswer } from "../../api/types";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { Badge } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { highlightedPieces } from "./highlight";
import { MoreLikeThis } from "./meaning";
import { useSearchWords } from "./words";

export const hitId = (hit: HitAnswer): string => `hit-${hit.segment_id}`;

interface Props {
  hit: HitAnswer;
  isCurrent: boolean;
  form: "line" | "tile";
  /** Whether "More like this" can be offered. */
  hasMeaning: boolean;
  /** The pointer rests on it. */
  point?: (hit: HitAnswer) => void;
}

export function Hit({ hit, isCurrent, form, hasMeaning, point }: Props) {
  const words = useSearchWords();
  const isUnclear = hit.kind === "speech" || hit.match === "slip" || hit.scope === "moment" || hit.unsure;
  const link = (
    <Link
      to={hit.play_url}
      id={hitId(hit)}
      class={`hit ${form} ${isCurrent ? "current" : ""}`}
      onMouseEnter={() => point?.(hit)}
    >
      <span class="thumb">
        <Picture url={hit.thumbnail_url} isSpeech={hit.kind === "speech"} />
        {form === "tile" && <span class="number at">{clock(hit.t_start)}</span>}
      </span>
      <span class="what">
        <span class="text">
          {hit.lines.map((line, at) => (
            <span key={line.segment_id}>
              {at > 0 && <span class="soft"> / </span>}
              <Marked text={line.text} marks={line.highlights} />
            </span>
          ))}
        </span>
        {(form === "line" || isUnclear) && (
          <span class="facts">
            {form === "line" && <span class="number at">{clock(hit.t_start)}</span>}
            {hit.matched === "meaning" && <span class="video-name">{hit.video_name}</span>}
            {hit.kind === "speech" && <Badge icon="sound">{words.said}</Badge>}
            {hit.scope === "moment" && <Badge>{words.onScreenTogether}</Badge>}
            {hit.unsure && !hit.may_be_misread && <Badge tone="warn">{words.unsure}</Badge>}
            {hit.may_be_misread ? (
              <Badge tone="warn" icon="info">
                {words.slip}
              </Badge>
            ) : (
              hit.match === "slip" && <span>{words.similar}</span>
            )}
          </span>
        )}
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

function Picture({ url, isSpeech }: { url: string; isSpeech: boolean }) {
  const [isMissing, setIsMissing] = useState(false);
  if (isMissing) return <Icon name={isSpeech ? "sound" : "frame"} />;
  return <img src={url} alt="" loading="lazy" decoding="async" onError={() => setIsMissing(true)} />;
}

export function Marked({ text, marks }: { text: string; marks: MarkAnswer[] }) {
  return (
    <>
      {highlightedPieces(text, marks).map((piece, n) =>
        piece.isFound ? <mark key={n}>{piece.text}</mark> : <span key={n}>{piece.text}</span>,
      )}
    </>
  );
}
