// Spanish: techniques of a video.

import { number } from "../../core/format";
import { pluralize, type Translation } from "../../core/language";
import type { useCategoryNames } from "../../pages/video/techniques/categories";
import type { useFinderWords } from "../../pages/video/techniques/finder_words";
import type { useSummaryWords } from "../../pages/video/techniques/summary_words";
import type { useMarkWords } from "../../pages/video/techniques/words";

export const techniqueCategories: Translation<typeof useCategoryNames> = {
  STANDUP_GAME: "Lucha de pie",
  GUARD_PLAY: "Juego de guardia",
  GUARD_PASSING: "Pase de guardia",
  POSITIONAL_DOMINANCE: "Dominio de posición",
  SUBMISSION_OFFENSE: "Sumisión",
  DEFENSE_ESCAPES: "Defensas y escapes",
};

const OBSTACLES: Record<string, string> = {
  not_owner: "Solo el propietario del vídeo y los operadores pueden usarlo.",
  not_ready: "Posible cuando el vídeo esté procesado.",
  running: "Hay un análisis en curso.",
  no_annotations: "No hay un archivo de anotaciones para este vídeo. Importa uno en Archivos.",
  no_model:
    "No hay un modelo de visión definido. Un operador define SIGHTLINE_TECHNIQUES_MODEL_SERVER y SIGHTLINE_TECHNIQUES_MODEL_NAME.",
  not_installed: "No está instalado. Añádelo con make vision y reinicia Sightline.",
  frames_removed: "Los fotogramas clave de este vídeo se quitaron por una regla de retención. Súbelo otra vez.",
  original_removed: "El original de este vídeo se quitó por una regla de retención. Súbelo otra vez.",
};

const ANALYZERS: Record<string, string> = {
  annotations: "Archivo de anotaciones",
  pose: "Poses, en este equipo",
  "vision-llm": "Modelo de visión",
};

export const techniqueFinder: Translation<typeof useFinderWords> = {
  title: "Encontrar técnicas",
  findWith: (analyzer) => `Encontrar técnicas: ${analyzer}`,
  analyzer: (name) => ANALYZERS[name] ?? name,
  cannot: (obstacle) => OBSTACLES[obstacle] ?? "",
  nothing: "No hay nada configurado para encontrar técnicas.",
  candidatesOnly: "Lo que encuentra un analizador son candidatas hasta que las aceptes.",
  lastAnalysis: (analyzer, count) =>
    count === 0
      ? `${analyzer}: el último análisis no encontró nada.`
      : `${analyzer}: el último análisis encontró ${pluralize(count, "técnica", "técnicas")}.`,
  started: "Análisis iniciado.",
  looking: "Buscando técnicas…",
  failed: "El análisis falló",
  triedAgain: (reason) => `Un intento falló y se repite: ${reason}`,
  again: "Reintentar",
  estimate: (calls, pictures) =>
    `${pluralize(calls, "llamada", "llamadas")} con ${pluralize(pictures, "imagen", "imágenes")}`,
  tokens: (prompt, completion) =>
    `unos ${number(prompt)} tokens de entrada y como máximo ${number(completion)} de salida`,
  cost: (cost) => `como máximo ${number(cost, 4)} según los precios de la configuración`,
  noPrice: "No hay precios definidos.",
  askTitle: "¿Enviar imágenes al modelo de visión?",
  askText: (server) => `Los fotogramas clave de este vídeo se envían a ${server}.`,
  run: "Iniciar",
  cancel: "Cancelar",
};

export const techniqueSummary: Translation<typeof useSummaryWords> = {
  strip: "El combate de un vistazo",
  legend: "Colores",
  byHand: "marcadas a mano",
  candidatesOf: (analyzer) => `${analyzer}: candidatas`,
  summary: "Resumen",
  ofAnalysis: "De lo que encontró el análisis más reciente, porque aún no se aceptó nada.",
  category: "Categoría",
  technique: "Técnica",
  time: "Tiempo",
  tried: "Intentadas",
  finished: "Logradas",
  reel: (count, length) => `Crear recopilación: ${pluralize(count, "técnica", "técnicas")}, ${length}`,
  reelTitle: "Crear una recopilación",
  reelText: "Un vídeo con las técnicas elegidas, una tras otra. Aparece con los clips debajo del reproductor.",
  reelName: "Nombre",
  padding: "Antes y después de cada una (s)",
  captions: "Subtítulos",
  none: "Ninguno",
  soft: "Como pista",
  burned: "En la imagen",
  create: "Crear recopilación",
  cancel: "Cancelar",
  created: "La recopilación se está creando. Aparece debajo del reproductor.",
  chooseAccepted: "Elegir todas las aceptadas",
  clear: "Quitar la selección",
};

export const techniqueMarks: Translation<typeof useMarkWords> = {
  list: "Técnicas de este vídeo",
  all: "Todas",
  candidate: "Candidata",
  candidates: "Candidatas",
  accepted: "Aceptadas",
  rejected: "Rechazadas",
  show: "Mostrar",
  byPerson: "Marcada a mano",
  edited: "editada",
  found: (name, confidence) => `encontrada como: ${name}, ${confidence}`,
  also: (names) => `también encontrada por ${names}`,
  accept: "Aceptar",
  reject: "Rechazar",
  edit: "Editar",
  remove: "Eliminar",
  undo: "Deshacer",
  undone: "Deshecho.",
  removed: "Técnica eliminada. Pulsa u para deshacer.",
  next: "Candidata siguiente",
  previous: "Candidata anterior",
  choose: (name) => `Elegir ${name} para la recopilación`,
  clip: "Crear clip",
  none: "Nada aquí.",
  how: "Marca técnicas tú mismo: reproduce el vídeo, pulsa i donde empieza una y o donde termina, luego s para nombrarla.",
  howTouch: "En el teléfono, define el inicio y el fin debajo del vídeo y luego nombra la técnica.",
  keys: "a acepta, x rechaza, e edita, Supr elimina, u deshace, n y p van a la candidata siguiente y a la anterior.",
  readOnly: "Solo el propietario del vídeo y los operadores pueden marcar y corregir técnicas.",
  nameIt: "Nombrar esta técnica",
  markNow: "Marcar una técnica",
  newMark: "Técnica nueva",
  editMark: "Editar técnica",
  from: "Inicio",
  to: "Fin",
  setStart: "Empieza aquí",
  setEnd: "Termina aquí",
  name: "Técnica",
  nameHint: "Busca en la lista o escribe un nombre propio.",
  names: "Técnicas conocidas",
  own: "nombre propio",
  category: "Categoría",
  role: "Atleta",
  confidence: "Confianza (%)",
  outcome: "Resultado",
  unsaid: "Sin indicar",
  finished: "Lograda",
  tried: "Solo intentada",
  note: "Nota",
  save: "Guardar",
  saveAccept: "Guardar y aceptar",
  cancel: "Cancelar",
  saved: "Técnica marcada.",
  noTimes: "Define primero un inicio y un fin.",
  files: "Archivos",
  exportCsv: "Exportar CSV",
  exportJson: "Exportar JSON",
  importFile: "Importar CSV o JSON…",
  imported: (added, changed, same) => `Importado: ${added} nuevas, ${changed} cambiadas, ${same} sin cambios.`,
  publish: (count) => `Publicar ${pluralize(count, "técnica", "técnicas")}`,
  publishAgain: "Publicar de nuevo",
  publishing: "Publicando…",
  publishStarted: (count) => `Publicando ${pluralize(count, "técnica", "técnicas")}.`,
  publishFailed: "La publicación falló",
  publishNone: "¿Publicar sin técnicas?",
  publishNoneText: "No se aceptó nada; los consumidores solo reciben que el análisis terminó sin técnicas.",
  published: (count) => `Publicado: ${pluralize(count, "técnica", "técnicas")}`,
  changedSince: "cambiado desde entonces",
  open: (count) => `${pluralize(count, "candidata", "candidatas")} por revisar. Solo se publican las aceptadas.`,
};
