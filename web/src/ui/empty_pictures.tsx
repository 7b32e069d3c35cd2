// Pictures of empty states: a few strokes in the colours of the theme.

import type { JSX } from "preact";
import type { IconName } from "./icons";

const PICTURES = {
  videos: (
    <>
      <rect class="soft-fill" x="30" y="26" width="100" height="64" rx="8" />
      <path d="M30 42h100M46 26v16M66 26v16M86 26v16M106 26v16" />
      <path class="accent-fill" d="M72 54v22l20-11Z" />
      <path d="M20 100h120" stroke-dasharray="2 7" />
    </>
  ),
  collections: (
    <>
      <rect class="soft-fill" x="44" y="20" width="84" height="52" rx="7" />
      <rect class="soft-fill" x="36" y="32" width="84" height="52" rx="7" />
      <rect class="surface-fill" x="28" y="44" width="84" height="52" rx="7" />
      <path class="accent-fill" d="M63 58v24l20-12Z" />
    </>
  ),
  trash: (
    <>
      <path class="soft-fill" d="M52 44h56l-5 54H57Z" />
      <path d="M44 44h72M68 44v-9h24v9M70 58v26M80 58v26M90 58v26" />
      <path class="accent" d="M118 26c12 4 18 14 16 26M134 52l-7-6M134 52l6-7" />
    </>
  ),
  links: (
    <>
      <rect class="soft-fill" x="24" y="34" width="62" height="44" rx="7" />
      <path class="accent-fill" d="M48 46v20l17-10Z" />
      <path class="accent" d="M92 56h18M110 56l22-22M110 56l22 22" />
      <circle class="surface-fill" cx="134" cy="32" r="9" />
      <circle class="surface-fill" cx="134" cy="80" r="9" />
    </>
  ),
  search: (
    <>
      <rect class="soft-fill" x="26" y="28" width="76" height="58" rx="7" />
      <path d="M38 44h38M38 56h28M38 68h18" />
      <circle class="surface-fill" cx="98" cy="66" r="20" />
      <path class="accent" d="m112 81 18 18" />
    </>
  ),
  events: (
    <>
      <path class="soft-fill" d="M80 18 42 32v28c0 24 16 36 38 44 22-8 38-20 38-44V32Z" />
      <path class="accent" d="m64 60 12 12 22-24" />
    </>
  ),
  cameras: (
    <>
      <rect class="soft-fill" x="34" y="34" width="72" height="36" rx="9" />
      <circle class="surface-fill" cx="92" cy="52" r="10" />
      <path d="M34 52H22M70 70v20M52 92h36" />
      <path class="accent" d="M116 38c7 8 7 20 0 28M126 30c12 13 12 31 0 44" />
    </>
  ),
  messages: (
    <>
      <path class="soft-fill" d="M30 28h74v44H62L44 88V72H30Z" />
      <path d="M44 44h46M44 56h30" />
      <circle class="accent-fill" cx="114" cy="34" r="11" />
    </>
  ),
} satisfies Record<string, JSX.Element>;

export type PictureName = keyof typeof PICTURES;

const FOR_ICONS: Partial<Record<IconName, PictureName>> = {
  video: "videos",
  search: "search",
  event: "events",
  alarm: "events",
  check: "events",
  camera: "cameras",
  message: "messages",
  mail: "messages",
};

/** The picture that says the same as an icon, if there is one. */
export const pictureFor = (icon: IconName): PictureName | undefined => FOR_ICONS[icon];

export function EmptyPicture({ name }: { name: PictureName }) {
  return (
    <svg class="empty-picture" viewBox="0 0 160 116" aria-hidden="true">
      {PICTURES[name]}
    </svg>
  );
}
