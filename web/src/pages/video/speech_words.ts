import { defineWords } from "../../core/language";

export const useSpeechWords = defineWords("speech", {
  en: {
    filter: "Show",
    all: "All",
    shown: "On screen",
    said: "Said",
    speech: "Subtitles: what is said",
    transcribe: "Transcribe speech",
    again: "Transcribe again",
    started: "Transcribing what is said.",
    listening: "Transcribing what is said…",
    failed: "Transcribing failed",
    triedAgain: (reason: string) => `An attempt failed and is repeated: ${reason}`,
    nothingSaid: "Nothing said was recognized.",
  },
  pt: {
    filter: "Mostrar",
    all: "Tudo",
    shown: "Na tela",
    said: "Falado",
    speech: "Legendas: o que é dito",
    transcribe: "Transcrever a fala",
    again: "Transcrever novamente",
    started: "Transcrevendo o que é dito.",
    listening: "Transcrevendo o que é dito…",
    failed: "A transcrição falhou",
    triedAgain: (reason: string) => `Uma tentativa falhou e será repetida: ${reason}`,
    nothingSaid: "Nenhuma fala foi reconhecida.",
  },
});
