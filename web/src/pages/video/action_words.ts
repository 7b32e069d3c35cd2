import type { ActionAnswer } from "../../api/types";
import { defineWords } from "../../core/language";

type Obstacle = NonNullable<ActionAnswer["cannot"]>;

const EN: Partial<Record<Obstacle, string>> = {
  not_owner: "Only the owner of the video and operators can look for techniques.",
  not_ready: "Techniques can be found once the video is processed.",
  no_analyzer:
    "Nothing is set up to find techniques. An operator can set a vision model (SIGHTLINE_TECHNIQUES_MODEL_URL), or clips can be marked with PUT /videos/{id}/annotations.",
  frames_removed: "The key frames of this video were removed by a retention rule. Upload it again to find techniques.",
};

const PT: Partial<Record<Obstacle, string>> = {
  not_owner: "Só o dono do vídeo e os operadores podem detectar técnicas.",
  not_ready: "As técnicas podem ser detectadas quando o vídeo estiver processado.",
  no_analyzer:
    "Nada está configurado para detectar técnicas. Um operador pode definir um modelo de visão (SIGHTLINE_TECHNIQUES_MODEL_URL), ou clipes podem ser marcados com PUT /videos/{id}/annotations.",
  frames_removed:
    "Os quadros-chave deste vídeo foram removidos por uma regra de retenção. Envie-o de novo para detectar técnicas.",
};

export const useActionWords = defineWords("action", {
  en: {
    analyze: "Find techniques",
    analyzeAgain: "Try again",
    analyzeStarted: "Analysis started.",
    analyzing: "Looking for techniques…",
    analysisFailed: "The analysis failed",
    triedAgain: (reason: string) => `An attempt failed and is repeated: ${reason}`,
    analyzeNot: (obstacle: Obstacle) => EN[obstacle] ?? "",
    noAnalysis: "No techniques yet",
    cannotDelete: "Only the owner of the video and operators can delete it.",
    fileUnreadable: "A retry would not help: the file itself cannot be read. Upload another one.",
  },
  pt: {
    analyze: "Detectar técnicas",
    analyzeAgain: "Tentar de novo",
    analyzeStarted: "Análise iniciada.",
    analyzing: "Detectando técnicas…",
    analysisFailed: "A análise falhou",
    triedAgain: (reason: string) => `Uma tentativa falhou e será repetida: ${reason}`,
    analyzeNot: (obstacle: Obstacle) => PT[obstacle] ?? "",
    noAnalysis: "Nenhuma técnica ainda",
    cannotDelete: "Só o dono do vídeo e os operadores podem excluí-lo.",
    fileUnreadable: "Repetir não ajudaria: o próprio arquivo não pode ser lido. Envie outro.",
  },
});
