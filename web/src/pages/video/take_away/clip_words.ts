import { defineWords } from "../../../core/language";

export const useClipWords = defineWords("clip", {
  en: {
    name: "Clip name",
    captions: "Captions",
    none: "None",
    soft: "Track that players can show",
    burned: "Burned into the picture",
    kind: "Captions show",
    both: "Text and speech",
    speech: "Speech",
    text: "On-screen text",
  },
  pt: {
    name: "Nome do clipe",
    captions: "Legendas",
    none: "Nenhuma",
    soft: "Faixa que o player pode mostrar",
    burned: "Gravadas na imagem",
    kind: "As legendas mostram",
    both: "Texto e fala",
    speech: "Fala",
    text: "Texto na tela",
  },
});
