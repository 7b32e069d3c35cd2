import type { ActionAnswer } from "../../api/types";
import { defineWords } from "../../core/language";

type Obstacle = ActionAnswer["cannot"];
type Behaviour = Record<string, unknown>;

const where = (behaviour: Behaviour) => (typeof behaviour.zone === "string" ? ` ${behaviour.zone}` : "");
const named = (behaviour: Behaviour, words: Record<string, string>) =>
  `${words[String(behaviour.kind)] ?? String(behaviour.kind).replaceAll("_", " ")}${where(behaviour)}`;

const LABELS_PT: Record<string, string> = {
  person: "pessoa",
  car: "carro",
  truck: "caminhão",
  bus: "ônibus",
  bicycle: "bicicleta",
  motorcycle: "moto",
  vehicle: "veículo",
  dog: "cachorro",
  cat: "gato",
  bird: "pássaro",
  animal: "animal",
  backpack: "mochila",
  handbag: "bolsa",
  suitcase: "mala",
};

export const useObjectWords = defineWords("object", {
  en: {
    objects: "People and objects",
    filter: "Show only",
    find: "Find people and objects",
    findAgain: "Look again",
    treatAs: "Treat as camera",
    noCamera: "No camera",
    startedAt: "Recording began",
    startedAtHint: "Events get the time of the recording. Filled in: the time of the upload.",
    lookStarted: "Looking for people and objects.",
    looking: "Looking for people and objects…",
    failed: "The search failed",
    triedAgain: (reason: string) => `An attempt failed and is repeated: ${reason}`,
    notYet: "Nobody has looked yet",
    nothing: "No people or objects found",
    label: (label: string) => label,
    unknown: (label: string) => `unknown, perhaps ${label}`,
    behaviour: (behaviour: Behaviour) =>
      named(behaviour, {
        entered_zone: "entered",
        left_zone: "left",
        line_crossed: "crossed",
        loitering: "loitered in",
        left_behind: "left behind",
        removed: "removed",
      }),
    cannot: (obstacle: Obstacle) =>
      ({
        not_owner: "Only the owner of the video and operators can look for people and objects.",
        not_ready: "People and objects can be found once the video is uploaded.",
        original_removed: "The original of this video was removed by a retention rule. Upload it again.",
      })[String(obstacle)] ?? "",
  },
  pt: {
    objects: "Pessoas e objetos",
    filter: "Mostrar só",
    find: "Encontrar pessoas e objetos",
    findAgain: "Procurar de novo",
    treatAs: "Tratar como câmera",
    noCamera: "Nenhuma câmera",
    startedAt: "Início da gravação",
    startedAtHint: "Os eventos recebem a hora da gravação. Preenchido: a hora do envio.",
    lookStarted: "Procurando pessoas e objetos.",
    looking: "Procurando pessoas e objetos…",
    failed: "A busca falhou",
    triedAgain: (reason: string) => `Uma tentativa falhou e será repetida: ${reason}`,
    notYet: "Ainda não foi procurado",
    nothing: "Nenhuma pessoa ou objeto encontrado",
    label: (label: string) => LABELS_PT[label] ?? label,
    unknown: (label: string) => `desconhecido, talvez ${label}`,
    behaviour: (behaviour: Behaviour) =>
      named(behaviour, {
        entered_zone: "entrou em",
        left_zone: "saiu de",
        line_crossed: "cruzou",
        loitering: "ficou em",
        left_behind: "deixado para trás",
        removed: "removido",
      }),
    cannot: (obstacle: Obstacle) =>
      ({
        not_owner: "Só o dono do vídeo e os operadores podem procurar pessoas e objetos.",
        not_ready: "Pessoas e objetos podem ser encontrados quando o vídeo estiver enviado.",
        original_removed: "O original deste vídeo foi removido por uma regra de retenção. Envie-o de novo.",
      })[String(obstacle)] ?? "",
  },
});
