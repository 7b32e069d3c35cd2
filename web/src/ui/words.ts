import { defineWords } from "../core/language";

export const useUiWords = defineWords({
  en: {
    tryAgain: "Try again",
    cancel: "Cancel",
    back: "Back to list",
    close: "Close",
    loading: "Loading…",
    more: "Loading more…",
    dismiss: "Dismiss",
    noData: "No data for this period",
    unreachable: "Can't reach the server. Check your connection and try again.",
  },
  pt: {
    tryAgain: "Tentar novamente",
    cancel: "Cancelar",
    back: "Voltar à lista",
    close: "Fechar",
    loading: "Carregando…",
    more: "Carregando mais…",
    dismiss: "Dispensar",
    noData: "Sem dados neste período",
    unreachable: "Não foi possível acessar o servidor. Verifique a conexão e tente novamente.",
  },
});
