import { defineWords } from "../core/language";

const EN: Record<string, string> = {
  transcode: "Prepare video",
  sample: "Pick key frames",
  ocr: "Read text",
  segment_index: "Index for search",
  clip_generate: "Cut clip",
  analyze: "Find techniques",
  detect: "Find people and objects",
  detect_recording: "Find objects in recording",
  transcribe: "Write down speech",
  embed: "Index by meaning",
  assess_risk: "Assess event",
  refine_risk: "Refine event",
  enrich_event: "Enrich event",
  retention: "Clean up",
  recording_clip: "Cut event clip",
  person_export: "Export a person's data",
  person_erasure: "Erase a person",
};

const PT: Record<string, string> = {
  transcode: "Preparar vídeo",
  sample: "Escolher quadros-chave",
  ocr: "Ler texto",
  segment_index: "Indexar para busca",
  clip_generate: "Cortar clipe",
  analyze: "Encontrar técnicas",
  detect: "Encontrar pessoas e objetos",
  detect_recording: "Encontrar objetos na gravação",
  transcribe: "Transcrever fala",
  embed: "Indexar por significado",
  assess_risk: "Avaliar evento",
  refine_risk: "Refinar evento",
  enrich_event: "Enriquecer evento",
  retention: "Limpar",
  recording_clip: "Cortar clipe do evento",
  person_export: "Exportar dados de uma pessoa",
  person_erasure: "Apagar uma pessoa",
};

/** What a type of job does. A type of another program has no such name and is shown as it is. */
export const useJobNames = defineWords("jobNames", {
  en: { job: (type: string) => EN[type] ?? type },
  pt: { job: (type: string) => PT[type] ?? type },
});
