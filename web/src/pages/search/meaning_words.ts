import { defineWords } from "../../core/language";

export const useMeaningWords = defineWords("meaning", {
  en: {
    similar: "Similar in meaning",
    similarHint: "The same sense in other words",
    moreLikeThis: "More like this",
    similarTo: "Texts similar in meaning to the one you chose",
    back: "Clear",
  },
  pt: {
    similar: "Sentido semelhante",
    similarHint: "O mesmo sentido em outras palavras",
    moreLikeThis: "Mais como este",
    similarTo: "Textos com sentido semelhante ao que você escolheu",
    back: "Limpar",
  },
});
