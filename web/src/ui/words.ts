import { defineWords, pluralize } from "../core/language";

export const useUiWords = defineWords("ui", {
  en: {
    tryAgain: "Try again",
    cancel: "Cancel",
    back: "Back to list",
    close: "Close",
    loading: "Loading…",
    more: "Loading more…",
    dismiss: "Dismiss",
    uploading: (count: number) => `Uploading ${pluralize(count, "video", "videos")}`,
    noData: "No data for this period",
    unreachable: "Can't reach the server. Check your connection and try again.",
    noSpace: (needed: string, free: string) => `Not enough space: needs ${needed}, ${free} free`,
    diskFull: "Not enough space: the disk is full",
    quotaBytes: (used: string, limit: string, needed: string) =>
      `Storage quota exceeded: ${used} of ${limit} used, this file needs ${needed}. Delete videos to make room.`,
    quotaVideos: (limit: string) => `You can have ${limit} videos. Delete one first.`,
    quotaUploads: (limit: string) => `You can have ${limit} unfinished uploads. Finish or cancel one first.`,
    quotaMinutes: (limit: string, day: string) =>
      `The ${limit} minutes of video of this month are used up. Upload again from ${day} on.`,
    originalRemoved: (day: string) =>
      `The original was removed on ${day} by a retention rule. You can still watch and search the video; upload the file again to download it or create clips.`,
    framesRemoved: (day: string) => `The key frames were removed on ${day} by a retention rule.`,
  },
  pt: {
    tryAgain: "Tentar novamente",
    cancel: "Cancelar",
    back: "Voltar à lista",
    close: "Fechar",
    loading: "Carregando…",
    more: "Carregando mais…",
    dismiss: "Dispensar",
    uploading: (count: number) => `Enviando ${pluralize(count, "vídeo", "vídeos")}`,
    noData: "Sem dados neste período",
    unreachable: "Não foi possível acessar o servidor. Verifique a conexão e tente novamente.",
    noSpace: (needed: string, free: string) => `Espaço insuficiente: precisa de ${needed}, ${free} livres`,
    diskFull: "Espaço insuficiente: o disco está cheio",
    quotaBytes: (used: string, limit: string, needed: string) =>
      `Cota de armazenamento excedida: ${used} de ${limit} em uso, este arquivo precisa de ${needed}. Exclua vídeos para liberar espaço.`,
    quotaVideos: (limit: string) => `Você pode ter ${limit} vídeos. Exclua um antes.`,
    quotaUploads: (limit: string) => `Você pode ter ${limit} envios não concluídos. Conclua ou cancele um antes.`,
    quotaMinutes: (limit: string, day: string) =>
      `Os ${limit} minutos de vídeo deste mês foram usados. Envie novamente a partir de ${day}.`,
    originalRemoved: (day: string) =>
      `O original foi removido em ${day} por uma regra de retenção. O vídeo ainda pode ser visto e pesquisado; envie o arquivo novamente para baixá-lo ou criar clipes.`,
    framesRemoved: (day: string) => `Os quadros-chave foram removidos em ${day} por uma regra de retenção.`,
  },
});
