import { defineWords } from "../core/language";

const MANY_EN: Record<string, string> = { person: "people", bus: "buses", knife: "knives" };

type Names = Record<string, readonly [one: string, many: string]>;

const NAMES_PT: Names = {
  person: ["pessoa", "pessoas"],
  car: ["carro", "carros"],
  truck: ["caminhão", "caminhões"],
  bus: ["ônibus", "ônibus"],
  van: ["van", "vans"],
  bicycle: ["bicicleta", "bicicletas"],
  motorcycle: ["moto", "motos"],
  vehicle: ["veículo", "veículos"],
  boat: ["barco", "barcos"],
  train: ["trem", "trens"],
  dog: ["cachorro", "cachorros"],
  cat: ["gato", "gatos"],
  bird: ["pássaro", "pássaros"],
  horse: ["cavalo", "cavalos"],
  animal: ["animal", "animais"],
  backpack: ["mochila", "mochilas"],
  handbag: ["bolsa", "bolsas"],
  suitcase: ["mala", "malas"],
  package: ["pacote", "pacotes"],
  knife: ["faca", "facas"],
  gun: ["arma", "armas"],
  weapon: ["arma", "armas"],
};

/** "2 carros"; a kind without a name stays as the detector calls it. */
export const countedBy = (names: Names, count: number, kind: string): string => {
  const name = names[kind];
  return `${count} ${name === undefined ? kind : name[count === 1 ? 0 : 1]}`;
};

const WAYS_PT: Record<string, string> = {
  left: "a esquerda",
  right: "a direita",
  up: "cima",
  down: "baixo",
  "left to right": "da esquerda para a direita",
  "right to left": "da direita para a esquerda",
};

export const useSummaryWords = defineWords("summary", {
  en: {
    nothing: "nothing",
    at: (seen: string, where: string) => `${seen} at ${where}`,
    counted: (count: number, kind: string) => `${count} ${count === 1 ? kind : (MANY_EN[kind] ?? `${kind}s`)}`,
    kind: (kind: string) => kind,
    entered: (zone: string | null) => `entered ${zone ?? "a zone"}`,
    left: (zone: string | null) => `left ${zone ?? "a zone"}`,
    crossed: (line: string, way: string | null) => `crossed the line ${line}${way === null ? "" : ` (${way})`}`.trim(),
    loitered: (zone: string | null, seconds: string | null) =>
      `loitered${zone === null ? "" : ` in ${zone}`}${seconds === null ? "" : ` for ${seconds} s`}`,
    leftBehind: (zone: string | null) => `left behind${zone === null ? "" : ` in ${zone}`}`,
    removed: (zone: string | null) => `taken away${zone === null ? "" : ` from ${zone}`}`,
    moving: (way: string) => `moving ${way}`,
    way: (way: string) => way,
    /** How often it was seen at this hour in so many days; null days: it is usual. */
    usual: (days: string | null, times: number) =>
      days === null
        ? "usual here at this hour"
        : times === 0
          ? "never seen here at this hour"
          : `seen ${times === 1 ? "once" : `${times} times`} in ${days} days at this hour`,
  },
  pt: {
    nothing: "nada",
    at: (seen: string, where: string) => `${seen} em ${where}`,
    counted: (count: number, kind: string) => countedBy(NAMES_PT, count, kind),
    kind: (kind: string) => NAMES_PT[kind]?.[0] ?? kind,
    entered: (zone: string | null) => `entrou ${zone === null ? "em uma zona" : `em ${zone}`}`,
    left: (zone: string | null) => `saiu ${zone === null ? "de uma zona" : `de ${zone}`}`,
    crossed: (line: string, way: string | null) => `cruzou a linha ${line}${way === null ? "" : ` (${way})`}`.trim(),
    loitered: (zone: string | null, seconds: string | null) =>
      `permaneceu${zone === null ? "" : ` em ${zone}`}${seconds === null ? "" : ` por ${seconds} s`}`,
    leftBehind: (zone: string | null) => `deixado para trás${zone === null ? "" : ` em ${zone}`}`,
    removed: (zone: string | null) => `retirado${zone === null ? "" : ` de ${zone}`}`,
    moving: (way: string) => `indo para ${way}`,
    way: (way: string) => WAYS_PT[way] ?? way,
    usual: (days: string | null, times: number) =>
      days === null
        ? "comum aqui neste horário"
        : times === 0
          ? "nunca visto aqui neste horário"
          : `visto ${times === 1 ? "uma vez" : `${times} vezes`} em ${days} dias neste horário`,
  },
});
