// Commands of the palette, and which of them match what was typed. Pure.

import type { IconName } from "../ui/icons";

export interface Command {
  /** Unique, for the list. */
  id: string;
  text: string;
  /** What kind of command it is, or what it does. */
  about: string;
  icon: IconName;
  run: () => void;
  /** Stays open, because more is to be typed. */
  isUnfinished?: boolean;
}

/** Text without case and accents. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well a command fits: the start of the text, of a word, or letters anywhere in order. Null: not at all. */
export function fitOf(text: string, typed: string): number | null {
  const [all, part] = [plain(text), plain(typed.trim())];
  if (part === "") return 0;
  const at = all.indexOf(part);
  if (at === 0) return 0;
  if (at > 0) return /\s/.test(all[at - 1] ?? "") ? 1 : 2;
  const words = part.split(/\s+/);
  if (words.length > 1 && words.every((word) => all.includes(word))) return 3;
  let from = 0;
  for (const letter of part.replaceAll(/\s/g, "")) {
    from = all.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return part.length >= 2 ? 4 : null;
}

/** The commands that fit, the best first; equals stay in order. */
export function matchingCommands(commands: readonly Command[], typed: string): Command[] {
  return commands
    .map((command) => ({ command, fit: fitOf(command.text, typed) }))
    .filter((item): item is { command: Command; fit: number } => item.fit !== null)
    .sort((one, other) => one.fit - other.fit)
    .map((item) => item.command);
}
