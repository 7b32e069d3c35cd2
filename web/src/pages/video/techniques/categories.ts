// The six categories of techniques: their names for people, and the colour of each.

import type { TechniqueMarkAnswer } from "../../../api/types";
import { defineWords } from "../../../core/language";

export type Category = TechniqueMarkAnswer["category"];

export const CATEGORIES: readonly Category[] = [
  "STANDUP_GAME",
  "GUARD_PLAY",
  "GUARD_PASSING",
  "POSITIONAL_DOMINANCE",
  "SUBMISSION_OFFENSE",
  "DEFENSE_ESCAPES",
];

/** Class of the colour of a category. */
export const colourOf = (category: Category): string => `category-${CATEGORIES.indexOf(category)}`;

export const useCategoryNames = defineWords("techniqueCategories", {
  en: {
    STANDUP_GAME: "Stand-up game",
    GUARD_PLAY: "Guard play",
    GUARD_PASSING: "Guard passing",
    POSITIONAL_DOMINANCE: "Positional dominance",
    SUBMISSION_OFFENSE: "Submission offense",
    DEFENSE_ESCAPES: "Defense and escapes",
  },
  pt: {
    STANDUP_GAME: "Luta em pé",
    GUARD_PLAY: "Jogo de guarda",
    GUARD_PASSING: "Passagem de guarda",
    POSITIONAL_DOMINANCE: "Domínio de posição",
    SUBMISSION_OFFENSE: "Finalização",
    DEFENSE_ESCAPES: "Defesas e saídas",
  },
});
