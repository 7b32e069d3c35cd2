import { defineWords } from "../../core/language";

export const useActionWords = defineWords("action", {
  en: {
    cannotDelete: "Only the owner of the video and operators can delete it.",
    fileUnreadable: "A retry would not help: the file itself cannot be read. Upload another one.",
  },
  pt: {
    cannotDelete: "Só o dono do vídeo e os operadores podem excluí-lo.",
    fileUnreadable: "Repetir não ajudaria: o próprio arquivo não pode ser lido. Envie outro.",
  },
});
