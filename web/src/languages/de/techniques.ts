// German: techniques of a video.

import { number } from "../../core/format";
import { pluralize, type Translation } from "../../core/language";
import type { useCategoryNames } from "../../pages/video/techniques/categories";
import type { useFinderWords } from "../../pages/video/techniques/finder_words";
import type { useSummaryWords } from "../../pages/video/techniques/summary_words";
import type { useMarkWords } from "../../pages/video/techniques/words";

export const techniqueCategories: Translation<typeof useCategoryNames> = {
  STANDUP_GAME: "Standkampf",
  GUARD_PLAY: "Guard-Spiel",
  GUARD_PASSING: "Guard-Passage",
  POSITIONAL_DOMINANCE: "Dominante Position",
  SUBMISSION_OFFENSE: "Submission",
  DEFENSE_ESCAPES: "Verteidigung und Befreiung",
};

const OBSTACLES: Record<string, string> = {
  not_owner: "Nur der Besitzer des Videos und Operatoren können ihn verwenden.",
  not_ready: "Möglich, sobald das Video verarbeitet ist.",
  running: "Eine Analyse läuft.",
  no_annotations: "Für dieses Video ist keine Annotationsdatei gespeichert. Importiere stattdessen eine unter Dateien.",
  no_model:
    "Kein Bildmodell eingerichtet. Ein Operator setzt SIGHTLINE_TECHNIQUES_MODEL_SERVER und SIGHTLINE_TECHNIQUES_MODEL_NAME.",
  not_installed: "Nicht installiert. Mit make vision hinzufügen und Sightline neu starten.",
  frames_removed:
    "Die Schlüsselbilder dieses Videos wurden durch eine Aufbewahrungsregel entfernt. Lade es erneut hoch.",
  original_removed: "Das Original dieses Videos wurde durch eine Aufbewahrungsregel entfernt. Lade es erneut hoch.",
};

const ANALYZERS: Record<string, string> = {
  annotations: "Annotationsdatei",
  pose: "Posen, auf diesem Rechner",
  "vision-llm": "Bildmodell",
};

export const techniqueFinder: Translation<typeof useFinderWords> = {
  title: "Techniken finden",
  findWith: (analyzer) => `Techniken finden: ${analyzer}`,
  analyzer: (name) => ANALYZERS[name] ?? name,
  cannot: (obstacle) => OBSTACLES[obstacle] ?? "",
  nothing: "Es ist nichts eingerichtet, um Techniken zu finden.",
  candidatesOnly: "Was ein Analysator findet, sind Kandidaten, bis du sie annimmst.",
  lastAnalysis: (analyzer, count) =>
    count === 0
      ? `${analyzer}: Die letzte Analyse hat nichts gefunden.`
      : `${analyzer}: Die letzte Analyse hat ${pluralize(count, "Technik", "Techniken")} gefunden.`,
  started: "Analyse gestartet.",
  looking: "Techniken werden gesucht…",
  failed: "Die Analyse ist fehlgeschlagen",
  triedAgain: (reason) => `Ein Versuch ist fehlgeschlagen und wird wiederholt: ${reason}`,
  again: "Erneut versuchen",
  estimate: (calls, pictures) =>
    `${pluralize(calls, "Aufruf", "Aufrufe")} mit ${pluralize(pictures, "Bild", "Bildern")}`,
  tokens: (prompt, completion) =>
    `etwa ${number(prompt)} Eingabe-Token und höchstens ${number(completion)} Ausgabe-Token`,
  cost: (cost) => `höchstens ${number(cost, 4)} nach den Preisen in den Einstellungen`,
  noPrice: "Keine Preise eingerichtet.",
  askTitle: "Bilder an das Bildmodell senden?",
  askText: (server) => `Schlüsselbilder dieses Videos werden an ${server} gesendet.`,
  run: "Starten",
  cancel: "Abbrechen",
};

export const techniqueSummary: Translation<typeof useSummaryWords> = {
  strip: "Der Kampf auf einen Blick",
  legend: "Farben",
  byHand: "von Hand markiert",
  candidatesOf: (analyzer) => `${analyzer}: Kandidaten`,
  summary: "Zusammenfassung",
  ofAnalysis: "Aus der neuesten Analyse, weil noch nichts angenommen ist.",
  category: "Kategorie",
  technique: "Technik",
  time: "Zeit",
  tried: "Versucht",
  finished: "Gelungen",
  reel: (count, length) => `Zusammenschnitt erstellen: ${pluralize(count, "Technik", "Techniken")}, ${length}`,
  reelTitle: "Zusammenschnitt erstellen",
  reelText: "Ein Video mit den gewählten Techniken nacheinander. Es erscheint bei den Clips unter dem Player.",
  reelName: "Name",
  padding: "Davor und danach (s)",
  captions: "Untertitel",
  none: "Keine",
  soft: "Als Spur",
  burned: "Im Bild",
  create: "Zusammenschnitt erstellen",
  cancel: "Abbrechen",
  created: "Der Zusammenschnitt wird erstellt. Er erscheint unter dem Player.",
  chooseAccepted: "Alle angenommenen wählen",
  clear: "Auswahl aufheben",
};

export const techniqueMarks: Translation<typeof useMarkWords> = {
  list: "Techniken dieses Videos",
  all: "Alle",
  candidate: "Kandidat",
  candidates: "Kandidaten",
  accepted: "Angenommen",
  rejected: "Abgelehnt",
  show: "Zeigen",
  byPerson: "Von Hand markiert",
  edited: "bearbeitet",
  found: (name, confidence) => `gefunden als: ${name}, ${confidence}`,
  also: (names) => `auch gefunden von ${names}`,
  accept: "Annehmen",
  reject: "Ablehnen",
  edit: "Bearbeiten",
  remove: "Löschen",
  undo: "Rückgängig",
  undone: "Rückgängig gemacht.",
  removed: "Technik gelöscht. Mit u rückgängig machen.",
  next: "Nächster Kandidat",
  previous: "Vorheriger Kandidat",
  choose: (name) => `${name} für den Zusammenschnitt wählen`,
  clip: "Clip erstellen",
  none: "Nichts hier.",
  how: "Markiere Techniken selbst: Spiele das Video ab, drücke i am Anfang und o am Ende, dann s für den Namen.",
  howTouch: "Auf dem Telefon: Anfang und Ende unter dem Video setzen, dann die Technik benennen.",
  keys: "a nimmt an, x lehnt ab, e bearbeitet, Entf löscht, u macht rückgängig, n und p gehen zum nächsten und vorherigen Kandidaten.",
  readOnly: "Nur der Besitzer des Videos und Operatoren können Techniken markieren und korrigieren.",
  nameIt: "Technik benennen",
  markNow: "Technik markieren",
  newMark: "Neue Technik",
  editMark: "Technik bearbeiten",
  from: "Anfang",
  to: "Ende",
  setStart: "Beginnt hier",
  setEnd: "Endet hier",
  name: "Technik",
  nameHint: "In der Liste suchen oder einen eigenen Namen eingeben.",
  names: "Bekannte Techniken",
  own: "eigener Name",
  category: "Kategorie",
  role: "Athlet",
  confidence: "Konfidenz (%)",
  outcome: "Ergebnis",
  unsaid: "Keine Angabe",
  finished: "Gelungen",
  tried: "Nur versucht",
  note: "Notiz",
  save: "Speichern",
  saveAccept: "Speichern und annehmen",
  cancel: "Abbrechen",
  saved: "Technik markiert.",
  noTimes: "Setze zuerst Anfang und Ende.",
  files: "Dateien",
  exportCsv: "CSV exportieren",
  exportJson: "JSON exportieren",
  importFile: "CSV oder JSON importieren…",
  imported: (added, changed, same) => `Importiert: ${added} neu, ${changed} geändert, ${same} unverändert.`,
  publish: (count) => `${pluralize(count, "Technik", "Techniken")} veröffentlichen`,
  publishAgain: "Erneut veröffentlichen",
  publishing: "Wird veröffentlicht…",
  publishStarted: (count) => `${pluralize(count, "Technik wird", "Techniken werden")} veröffentlicht.`,
  publishFailed: "Veröffentlichen fehlgeschlagen",
  publishNone: "Ohne Techniken veröffentlichen?",
  publishNoneText: "Nichts ist angenommen; Empfänger erfahren nur, dass die Analyse ohne Techniken abgeschlossen ist.",
  published: (count) => `Veröffentlicht: ${pluralize(count, "Technik", "Techniken")}`,
  changedSince: "seitdem geändert",
  open: (count) => `${pluralize(count, "Kandidat", "Kandidaten")} zu prüfen. Nur angenommene werden veröffentlicht.`,
};
