import { defineWords } from "../core/language";

/** Why the rules gave an event its score. English is what the rules write, and needs none of these. */
export const useReasonWords = defineWords("reasons", {
  en: {
    rules: "Rules",
    seen: (kind: string) => `${kind} seen`,
    people: (count: string) => `${count} people at once`,
    night: (hour: string) => `at night (${hour} h)`,
    restricted: (zone: string) => `in the restricted zone ${zone}`,
    entry: (zone: string) => `at the entry ${zone}`,
    publicOnly: (zone: string) => `only in the public zone ${zone}`,
    stayed: (seconds: string) => `stayed for ${seconds} s`,
    rare: "rare here at this hour",
    daysSeen: (seen: string, of: string) => `on ${seen} of ${of} days`,
    elsewhere: (kind: string, where: string) => `${kind} also seen at ${where}`,
    sameTime: (camera: string) => `${camera} at the same time`,
    apart: (camera: string, time: string, isAfter: boolean) => `${camera} ${time} ${isAfter ? "after" : "before"}`,
    unsure: (confidence: string) => `no detection above ${confidence}`,
    sum: (sum: string, score: string) => `Sum ${sum}, score ${score}.`,
  },
  pt: {
    rules: "Regras",
    seen: (kind: string) => `${kind} à vista`,
    people: (count: string) => `${count} pessoas ao mesmo tempo`,
    night: (hour: string) => `à noite (${hour} h)`,
    restricted: (zone: string) => `na zona restrita ${zone}`,
    entry: (zone: string) => `na entrada ${zone}`,
    publicOnly: (zone: string) => `só na zona pública ${zone}`,
    stayed: (seconds: string) => `ficou ${seconds} s`,
    rare: "raro aqui neste horário",
    daysSeen: (seen: string, of: string) => `em ${seen} de ${of} dias`,
    elsewhere: (kind: string, where: string) => `${kind} também à vista em ${where}`,
    sameTime: (camera: string) => `${camera} ao mesmo tempo`,
    apart: (camera: string, time: string, isAfter: boolean) => `${camera} ${time} ${isAfter ? "depois" : "antes"}`,
    unsure: (confidence: string) => `nenhuma detecção acima de ${confidence}`,
    sum: (sum: string, score: string) => `Soma ${sum}, risco ${score}.`,
  },
});
