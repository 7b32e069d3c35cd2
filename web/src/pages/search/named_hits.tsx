// Videos, techniques and cameras that are found by their names.

import type { NamedHitAnswer } from "../../api/types";
import { clock, day } from "../../core/format";
import { Link } from "../../core/router";
import { Icon, type IconName } from "../../ui/icons";
import { Marked } from "./hit";
import { useSearchWords } from "./words";

const ICONS: Partial<Record<NamedHitAnswer["kind"], IconName>> = { video: "video", technique: "cut", camera: "camera" };

export function NamedHits({ hits }: { hits: NamedHitAnswer[] }) {
  const words = useSearchWords();
  if (hits.length === 0) return null;
  return (
    <section class="named" aria-label={words.byName}>
      <h2>{words.byName}</h2>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.kind} ${hit.page_url} ${hit.name}`}>
            <Link to={hit.page_url} class="named-hit">
              <Icon name={ICONS[hit.kind] ?? "search"} />
              <span class="what">
                <span class="text">
                  <Marked text={hit.name} marks={hit.highlights} />
                </span>
                <span class="soft">{aboutOf(hit, words)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function aboutOf(hit: NamedHitAnswer, words: ReturnType<typeof useSearchWords>): string {
  if (hit.kind === "camera") return words.camera;
  if (hit.kind === "technique") return `${hit.video_name} · ${clock(hit.t_start ?? 0)}`;
  return hit.excerpt ?? [...(hit.created_at === null ? [] : [day(hit.created_at)]), ...hit.tags].join(" · ");
}
