import { defineWords } from "../app/language";

export const useUiWords = defineWords({
  en: {
    again: "Try again",
    cancel: "Cancel",
    back: "Back to the list",
    close: "Close",
    loading: "Loading…",
    more: "Loading more…",
    dismiss: "Dismiss",
    noData: "No data in this period",
  },
  pt: {
    again: "Tentar de novo",
    cancel: "Cancelar",
    back: "Voltar à lista",
    close: "Fechar",
    loading: "Carregando…",
    more: "Carregando mais…",
    dismiss: "Dispensar",
    noData: "Sem dados neste período",
  },
});
