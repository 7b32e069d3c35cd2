import type { VideoAnalyzerAnswer } from "../../../api/types";
import { number } from "../../../core/format";
import { defineWords, pluralize } from "../../../core/language";

type Obstacle = NonNullable<VideoAnalyzerAnswer["cannot"]>;

const EN: Record<Obstacle, string> = {
  not_owner: "Only the owner of the video and operators can use it.",
  not_ready: "Possible once the video is processed.",
  running: "An analysis is running.",
  no_annotations: "No annotation file is stored for this video. Import one under Files instead.",
  no_model:
    "No vision model is set. An operator sets SIGHTLINE_TECHNIQUES_MODEL_SERVER and SIGHTLINE_TECHNIQUES_MODEL_NAME.",
  not_installed: "Not installed. Add it with make vision, then restart Sightline.",
  frames_removed: "The key frames of this video were removed by a retention rule. Upload it again.",
  original_removed: "The original of this video was removed by a retention rule. Upload it again.",
};

const PT: Record<Obstacle, string> = {
  not_owner: "Só o dono do vídeo e os operadores podem usá-lo.",
  not_ready: "Possível quando o vídeo estiver processado.",
  running: "Uma análise está em andamento.",
  no_annotations: "Nenhum arquivo de anotações está guardado para este vídeo. Importe um em Arquivos.",
  no_model:
    "Nenhum modelo de visão está definido. Um operador define SIGHTLINE_TECHNIQUES_MODEL_SERVER e SIGHTLINE_TECHNIQUES_MODEL_NAME.",
  not_installed: "Não instalado. Adicione com make vision e reinicie o Sightline.",
  frames_removed: "Os quadros-chave deste vídeo foram removidos por uma regra de retenção. Envie-o de novo.",
  original_removed: "O original deste vídeo foi removido por uma regra de retenção. Envie-o de novo.",
};

const NAMES_EN: Record<string, string> = {
  annotations: "Annotation file",
  pose: "Poses, on this machine",
  "vision-llm": "Vision model",
};

const NAMES_PT: Record<string, string> = {
  annotations: "Arquivo de anotações",
  pose: "Poses, nesta máquina",
  "vision-llm": "Modelo de visão",
};

export const useFinderWords = defineWords("techniqueFinder", {
  en: {
    title: "Find techniques",
    findWith: (analyzer: string) => `Find techniques: ${analyzer}`,
    analyzer: (name: string) => NAMES_EN[name] ?? name,
    cannot: (obstacle: Obstacle) => EN[obstacle],
    nothing: "Nothing is set up to find techniques.",
    candidatesOnly: "What an analyzer finds are candidates until you accept them.",
    lastAnalysis: (analyzer: string, count: number) =>
      count === 0
        ? `${analyzer}: the last analysis found nothing.`
        : `${analyzer}: the last analysis found ${pluralize(count, "technique", "techniques")}.`,
    started: "Analysis started.",
    looking: "Looking for techniques…",
    failed: "The analysis failed",
    triedAgain: (reason: string) => `An attempt failed and is repeated: ${reason}`,
    again: "Try again",
    estimate: (calls: number, pictures: number) =>
      `${pluralize(calls, "call", "calls")} with ${pluralize(pictures, "picture", "pictures")}`,
    tokens: (prompt: number, completion: number) =>
      `about ${number(prompt)} prompt tokens and at most ${number(completion)} completion tokens`,
    cost: (cost: number) => `at most ${number(cost, 4)} by the prices in the settings`,
    noPrice: "No prices are set.",
    askTitle: "Send pictures to the vision model?",
    askText: (server: string) => `Key frames of this video are sent to ${server}.`,
    run: "Start",
    cancel: "Cancel",
  },
  pt: {
    title: "Detectar técnicas",
    findWith: (analyzer: string) => `Detectar técnicas: ${analyzer}`,
    analyzer: (name: string) => NAMES_PT[name] ?? name,
    cannot: (obstacle: Obstacle) => PT[obstacle],
    nothing: "Nada está configurado para detectar técnicas.",
    candidatesOnly: "O que um analisador encontra são candidatas até você aceitar.",
    lastAnalysis: (analyzer: string, count: number) =>
      count === 0
        ? `${analyzer}: a última análise não encontrou nada.`
        : `${analyzer}: a última análise encontrou ${pluralize(count, "técnica", "técnicas")}.`,
    started: "Análise iniciada.",
    looking: "Detectando técnicas…",
    failed: "A análise falhou",
    triedAgain: (reason: string) => `Uma tentativa falhou e será repetida: ${reason}`,
    again: "Tentar de novo",
    estimate: (calls: number, pictures: number) =>
      `${pluralize(calls, "chamada", "chamadas")} com ${pluralize(pictures, "imagem", "imagens")}`,
    tokens: (prompt: number, completion: number) =>
      `cerca de ${number(prompt)} tokens de entrada e no máximo ${number(completion)} de saída`,
    cost: (cost: number) => `no máximo ${number(cost, 4)} pelos preços das configurações`,
    noPrice: "Nenhum preço definido.",
    askTitle: "Enviar imagens ao modelo de visão?",
    askText: (server: string) => `Quadros-chave deste vídeo são enviados a ${server}.`,
    run: "Iniciar",
    cancel: "Cancelar",
  },
});
