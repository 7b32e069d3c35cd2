// German: connecting cameras and clients, models, and schedules.

import { pluralize, type Translation } from "../../core/language";
import type { useConnectWords } from "../../pages/bus/connect_words";
import type { useTryWords } from "../../pages/bus/try_words";
import type { useBusWords } from "../../pages/bus/words";
import type { useModelWords } from "../../pages/cameras/model_words";
import type { useOtherSourceWords } from "../../pages/cameras/other_source_words";
import type { useProblemWords } from "../../pages/cameras/problem_words";
import type { useSourceWords } from "../../pages/cameras/source_words";
import type { useScheduleWords } from "../../pages/messages/schedule_words";

/** What the cards of the models that are installed by name say; those of other models stay as they are. */
const MODEL_TEXTS: Record<string, string> = {
  "people, vehicles, animals, bags and other things (80 classes)":
    "Personen, Fahrzeuge, Tiere, Taschen und andere Dinge (80 Klassen)",
  "people and their poses (up to six at once)": "Personen und ihre Haltung (bis zu sechs zugleich)",
  "a detector of your own": "ein eigener Detektor",
  "a detector of your own, asked over HTTP": "ein eigener Detektor, über HTTP gefragt",
  "weapons, tools, parcels, smoke and fire: they are not among its classes":
    "Waffen, Werkzeuge, Pakete, Rauch und Feuer: sie gehören nicht zu seinen Klassen",
  "anything smaller than about 1/25 of the picture's width, unless motion around it is known":
    "alles unter etwa 1/25 der Bildbreite, außer wenn dort Bewegung bekannt ist",
  "kinds of vehicles and animals that its classes do not name: a van is called a car or truck, a raccoon a cat or bear":
    "Arten von Fahrzeugen und Tieren, die seine Klassen nicht nennen: ein Transporter heißt Auto oder Lastwagen, ein Waschbär Katze oder Bär",
  "more than six people in one look": "mehr als sechs Personen zugleich",
  "people of whom only a small part shows, and people seen from straight above":
    "Personen, von denen nur ein kleiner Teil zu sehen ist, und Personen genau von oben",
  "who a person is: it knows poses, not faces": "wer jemand ist: es kennt Haltungen, keine Gesichter",
  "anything but its classes; its scores are shown as they are, not calibrated":
    "alles außer seinen Klassen; seine Werte werden gezeigt, wie sie sind, ohne Kalibrierung",
  "anything but the classes of its model; its scores are shown as they are, not calibrated":
    "alles außer den Klassen seines Modells; seine Werte werden gezeigt, wie sie sind, ohne Kalibrierung",
  "weights of Darknet, public domain; package MIT": "Gewichte von Darknet, gemeinfrei; Paket MIT",
  "Apache-2.0 (Google MoveNet); package MIT": "Apache-2.0 (Google MoveNet); Paket MIT",
  "as its source says": "wie seine Quelle sagt",
};

export const model: Translation<typeof useModelWords> = {
  about: "Was sie findet, und was es nicht sehen kann",
  honesty:
    "Modelle irren sich manchmal: sie übersehen etwas oder halten eines für das andere. Ein Ereignis zeigt das Bild, damit du selbst urteilen kannst.",
  calibrated: "Kalibriert",
  uncalibrated: "Nicht kalibriert",
  calibratedHint:
    "Seine Prozente wurden an echten Bildern angepasst: von Erkennungen mit 80 % waren dort 8 von 10 oder mehr richtig. Vor deiner Kamera kann es anders sein.",
  uncalibratedHint: "Seine Prozente ordnen Erkennungen und sagen nicht, wie oft sie richtig sind.",
  cannotSee: "Es kann nicht sehen",
  licence: "Lizenz",
  source: "Von",
  broken: "Der Detektor funktioniert nicht:",
  text: (text) => MODEL_TEXTS[text] ?? text,
};

export const otherSource: Translation<typeof useOtherSourceWords> = {
  find: "Kameras suchen",
  finding: "Kameras im lokalen Netz werden gesucht…",
  askingStreams: "Die Kamera wird nach ihren Streams gefragt…",
  found: (count) => `${pluralize(count, "Kamera", "Kameras")} gefunden`,
  foundNone:
    "Keine Kamera hat geantwortet. Sie kann in einem anderen Netz sein, oder ONVIF ist aus: tippe ihre Adresse.",
  foundList: "Gefundene Kameras",
  use: "Verwenden",
  useOne: (name) => `${name} verwenden`,
  passwordFirst: "Tippe unten ihren Benutzernamen und ihr Passwort und wähle die Kamera erneut.",
  stream: "Stream",
  streamHint: "Ein kleinerer braucht weniger CPU.",
  folderText: "Für Kameras, die bei Bewegung Bilder oder Clips per FTP senden. Jede Datei wird einmal angesehen.",
  folder: "Ordner",
  folderHint: "Auf dem Rechner, der Kameras beobachtet. Leer: ein eigener Ordner.",
  ftpUserHint: "Des FTP-Kontos. Tippe dasselbe in die Kamera.",
  intoCamera: "Tippe dies in die Kamera",
  ftpServer: "FTP-Server",
  ftpUser: "Benutzername",
  ftpPassword: "Passwort",
  ftpPasswordText: "Das dieser Kamera oder ein API-Schlüssel, der Erkennungen senden darf. Wähle den passiven Modus.",
  ftpOff: "Der FTP-Server ist aus; andere Programme können Dateien in den Ordner legen. Zum Einschalten setze",
  mqttFrom: "Ereignisse von",
  sensor: "Home Assistant oder ein Sensor",
  broker: "Broker",
  brokerHint: "Adresse des MQTT-Servers, mit Port, wenn es nicht 1883 ist: 192.168.1.5",
  topic: "Thema",
  frigateTopicHint: "frigate/events, wenn Frigate nicht anders eingerichtet ist.",
  sensorTopicHint: "Zum Beispiel zigbee2mqtt/porch oder homeassistant/binary_sensor/porch/state",
  frigateCamera: "Kamera in Frigate",
  frigateCameraHint: "Wie sie in der Konfiguration von Frigate heißt.",
  label: "Gemeldet als",
  labelHint: "Was der Sensor sieht, etwa person. Leer: Bewegung.",
  tls: "Verschlüsselte Verbindung (mqtts)",
};

export const problem: Translation<typeof useProblemWords> = {
  unknown_host: "Kein Gerät hat diesen Namen. Prüfe die Schreibweise oder verwende die IP-Adresse der Kamera.",
  address_not_allowed:
    "Diese Adresse liegt in einem Netz, das Kameras hier nicht verwenden dürfen. Verwende eine öffentliche oder bitte einen Operator, die Kamera hinzuzufügen.",
  connection_refused:
    "Das Gerät lehnt die Verbindung an diesem Port ab. Prüfe den Port, und ob RTSP oder HTTP in der Kamera eingeschaltet ist.",
  no_route: "Die Kamera ist nicht erreichbar. Prüfe, ob sie an und im selben Netz wie dieser Rechner ist.",
  timed_out: "Die Kamera hat nicht rechtzeitig geantwortet. Prüfe, ob sie an ist, ihre IP-Adresse und den Port.",
  tls_failed:
    "Dem Zertifikat der Kamera wird nicht vertraut. Viele haben ein selbst signiertes: schalte die Prüfung für diese Kamera aus oder verwende rtsp:// oder http://.",
  wrong_password:
    "Die Kamera lehnt Benutzernamen oder Passwort ab. Tippe sie erneut; manche haben einen eigenen Benutzer für Streams (ONVIF oder RTSP).",
  password_needed: "Die Kamera verlangt Benutzernamen und Passwort. Füge sie dieser Kamera hinzu.",
  not_found:
    "Die Kamera hat unter diesem Pfad keinen Stream. Sieh im Handbuch nach, etwa /stream1 oder /Streaming/Channels/101.",
  redirected: "Die Kamera leitet an eine andere Adresse weiter. Verwende diese.",
  transport_refused:
    "Die Kamera lehnt RTSP über TCP ab. Schalte TCP in ihr ein oder wähle hier UDP, wofür es mit Anmeldung einen Operator braucht.",
  camera_error: "Die Kamera antwortet mit einem Fehler. Starte sie neu, wenn es so bleibt.",
  not_video:
    "Was diese Adresse sendet, ist kein lesbares Video oder Bild. Prüfe den Pfad; für ein einzelnes Bild wähle Einzelbilder.",
  unsupported:
    "Das Video der Kamera hat ein Format, das nicht gelesen werden kann. Wähle H.264 oder H.265 in der Kamera.",
  stalled: "Die Kamera sendet keine Bilder mehr. Prüfe ihr Netz; sie wird von selbst wieder verbunden.",
  ended: "Die Kamera hat den Stream beendet. Sie wird von selbst wieder verbunden.",
  watcher_failed: "Der Prozess, der diese Kamera liest, ist ausgefallen. Er startet von selbst neu.",
  secret_lost:
    "Das Passwort der Kamera wurde unter einem anderen Geheimnis dieser Installation gespeichert. Tippe es erneut.",
  folder_missing:
    "Der Ordner der Kamera fehlt oder ist nicht lesbar. Lege ihn auf dem Rechner an, der Kameras beobachtet, und lass den Benutzer von Sightline ihn lesen.",
  folder_not_allowed:
    "Nur Operatoren können einen Ordner des Rechners wählen. Lass ihn leer für den eigenen der Kamera oder bitte einen Operator.",
};

export const source: Translation<typeof useSourceWords> = {
  add: "Kamera hinzufügen",
  how: "Wie Bilder ankommen",
  byAddress: "Adresse der Kamera",
  byFolder: "FTP-Uploads",
  bySample: "Beispielkamera",
  byPost: "Mein Detektor sendet sie",
  address: "Adresse",
  addressHint: "Aus dem Handbuch oder der App der Kamera, etwa rtsp://192.168.1.20:554/stream1",
  subAddress: "Nebenstream (optional)",
  subAddressHint:
    "Ein Stream niedriger Auflösung derselben Kamera. Er wird angesehen und der Hauptstream aufgenommen: das braucht weniger CPU.",
  username: "Benutzername",
  password: "Passwort",
  passwordKept: "Leer lassen, um das gespeicherte zu behalten.",
  passwordHint: "Verschlüsselt gespeichert und nie wieder gezeigt.",
  test: "Testen",
  testing: "Verbinden…",
  testPicture: "Bild der Kamera",
  testResult: (width, height, codec, seconds) => `${width} × ${height}, ${codec}, erstes Bild nach ${seconds}`,
  testFirst: "Der Test zeigt hier ein Bild.",
  name: "Name",
  nameHint: "Die ID folgt dem Namen: Front Door wird front_door.",
  proposedName: (host) => `Kamera ${host}`,
  zone: "Zeitzone der Kamera",
  zoneHint: "Entscheidet, wann es Nacht ist.",
  record: "Aufnehmen",
  recordOff: "Aus",
  recordEvents: "Ereignisse",
  recordContinuous: "Immer",
  recordOffHint: "Nur Bilder von Ereignissen werden behalten.",
  recordEventsHint: "Von einigen Sekunden davor bis einige danach.",
  recordContinuousHint: "Etwa 10 bis 40 GB am Tag je Kamera.",
  recordDays: "Tage behalten",
  detects: "Personen und Objekte finden",
  detectsHint: "Auf diesem Rechner, ohne einen Dienst.",
  onlyInZones: "Nur innerhalb ihrer Zonen suchen",
  onlyInZonesHint: "Was anderswo im Bild passiert, erzeugt kein Ereignis.",
  motion: "Ereignisse allein durch Bewegung",
  motionHint: "Ohne zu wissen, was sich bewegt: es werden mehr.",
  noVision: "Um Personen und Objekte zu finden, führe aus:",
  more: "Weitere Einstellungen",
  kind: "Art der Adresse",
  kindAuto: "An der Adresse erkennen",
  kindStream: "Videostream",
  kindMjpeg: "MJPEG",
  kindSnapshot: "Einzelbilder",
  transport: "Transport",
  transportAuto: "TCP, dann UDP",
  looks: "Blicke pro Sekunde",
  looksHint: "Wie oft auf Bewegung geprüft wird. Mehr findet Schnelleres und braucht mehr CPU.",
  verifies: "Zertifikat prüfen",
  verifiesHint: "Von https und rtsps. Ausschalten für eine Kamera mit selbst signiertem.",
  added: (name) => `${name} hinzugefügt.`,
  notYours:
    "Diese Kamera gehört einem anderen Mitglied deines Teams. Nur diese Person und Operatoren können sie ändern.",
  wantsAddress: "Über ihre Adresse beobachten",
  wantsAddressHint: "Bisher sendet ein Detektor von dir, was er sieht.",
  save: "Speichern",
  saved: "Einstellungen gespeichert.",
  isEnabled: "Diese Kamera beobachten",
  isEnabledHint: "Aus: keine Verbindung, keine Aufnahme, keine Ereignisse.",
  id: "ID",
  picture: "Bild",
  delete: "Kamera löschen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    "Das löscht die Kamera, ihre Zonen, Einstellungen und alle Aufnahmen. Ihre Ereignisse und deren Bilder bleiben. Das lässt sich nicht rückgängig machen.",
  deleted: (name) => `${name} gelöscht.`,
};

export const bus: Translation<typeof useBusWords> = {
  parts: "Warteschlangen und Themen",
  queues: "Warteschlangen",
  topics: "Themen",
  rules: "Ereignisregeln",
  tryPolicy: "Filter ausprobieren",
  connect: "Verbinden",
  table: "Warteschlangen",
  queue: "Warteschlange",
  waiting: "Wartend",
  inFlight: "In Verarbeitung",
  delayed: "Verzögert",
  oldest: "Älteste",
  dead: "Unzustellbar",
  openDead: (count, name) => `${pluralize(count, "unzustellbare Nachricht", "unzustellbare Nachrichten")} in ${name}`,
  none: "0",
  fifo: "FIFO",
  account: (id) => `Konto ${id}`,
  details: (name) => `Details von ${name}`,
  arn: "ARN",
  url: "URL der Warteschlange",
  owner: "Besitzer",
  created: "Erstellt",
  visibility: "Sichtbarkeitszeit",
  retention: "Aufbewahrung",
  delay: "Zustellverzögerung",
  deadTarget: "Unzustellbares an",
  afterReceives: (count) => `nach ${pluralize(count, "Empfang", "Empfängen")}`,
  tags: "Schlagwörter",
  copy: (what) => `${what} kopieren`,
  copied: (what) => `${what} kopiert`,
  noClientQueues: "Noch keine Warteschlangen von Clients.",
  noClientTopics: "Noch keine Themen von Clients.",
  noClientRules: "Noch keine Ereignisregeln von Clients.",
  connectSdk: "Mit einem AWS-SDK verbinden",
  subscriptions: (topic) => `Abonnements von ${topic}`,
  protocol: "Protokoll",
  deliversTo: "Stellt zu an",
  filter: "Filter",
  onBody: "auf den Inhalt",
  everything: "Jede Nachricht",
  pending: "Bestätigung ausstehend",
  raw: "Roh",
  noSubscriptions: "Keine Abonnements: Nachrichten an dieses Thema gehen nirgendwohin.",
  tryIt: "Ausprobieren",
  tryOf: (name) => `Filter von ${name} ausprobieren`,
  tryPattern: (name) => `Muster von ${name} ausprobieren`,
  eventBus: (name) => `Ereignisbus ${name}`,
  noRules: "Keine Regeln: Ereignisse auf diesem Bus gehen nirgendwohin.",
  pattern: "Muster",
  schedule: "Zeitplan",
  targets: "Ziele",
  noTargets: "Keine Ziele",
  disabled: "Ausgeschaltet",
};

export const connect: Translation<typeof useConnectWords> = {
  title: "Mit einem AWS-SDK verbinden",
  intro:
    "Clients mit boto3 oder einem anderen AWS-SDK funktionieren unverändert. Sie brauchen die Endpunkt-URL, die Region und einen Zugriffsschlüssel.",
  endpoint: "Endpunkt-URL",
  region: "Region",
  key: "Zugriffsschlüssel",
  newKey: "Neuer Zugriffsschlüssel",
  keyText:
    "Ein API-Schlüssel mit dem Recht bus:use. Er wird einmal gezeigt. Auf dem Server gibt dieser Befehl einen aus:",
  testKey:
    "Hier gibt es keine Anmeldung, daher geht auf diesem Rechner auch der Schlüssel test mit dem Geheimnis test.",
  command: "Befehl",
  environment: "Schlüssel setzen",
  example: "Beispiel in Python",
  install: "Braucht boto3:",
  onAws: "Der Bus läuft auf AWS",
  onAwsText: "Verbinde dich mit SNS, SQS und EventBridge deines Kontos. Was hier steht, gehört der Plattform.",
};

const tryWords: Translation<typeof useTryWords> = {
  title: "Diesen Filter ausprobieren",
  intro: "Sieh, ob ein Filter oder Ereignismuster zu einer Nachricht passt, und warum. Nichts wird gesendet.",
  scope: "Was verglichen wird",
  MessageAttributes: "Nachrichtenattribute",
  MessageBody: "Nachrichteninhalt",
  Event: "Ereignis",
  policy: "Filter",
  pattern: "Ereignismuster",
  attributes: "Nachrichtenattribute (JSON)",
  body: "Nachrichteninhalt (JSON)",
  event: "Ereignis (JSON)",
  run: "Ausprobieren",
  matches: "Passt",
  noMatch: "Passt nicht",
  decidedBy: "Entscheidender Schlüssel",
  why: "Warum",
};

export { tryWords as try };

export const schedule: Translation<typeof useScheduleWords> = {
  list: "Zeitpläne",
  none: "Noch keine Zeitpläne",
  noneText: "Erstelle einen Zeitplan, um eine Nachricht einmal oder wiederholt zu senden.",
  add: "Neuer Zeitplan",
  create: "Erstellen",
  made: (name) => `Zeitplan ${name} erstellt.`,
  name: "Name",
  nameHint: "Buchstaben, Ziffern und _ . -",
  expression: "Zeitplan",
  expressionHint: "rate(24 hours), cron(Minuten Stunden Tag Monat Wochentag Jahr) oder at(2027-02-01T08:00:00)",
  example: "Beispiele",
  hourly: "Jede Stunde",
  workdays: "Werktags um 9:00",
  monthly: "Erster Tag des Monats",
  zone: "Zeitzone",
  title: "Titel",
  text: "Nachricht",
  type: "Typ",
  channel: "Kanal",
  priority: "Priorität",
  active: "Aktiv",
  paused: "Pausiert",
  finished: "Beendet",
  next: "Nächster Lauf",
  last: "Letzter Lauf",
  never: "keiner",
  pause: "Pausieren",
  resume: "Fortsetzen",
  pauseOne: (name) => `${name} pausieren`,
  resumeOne: (name) => `${name} fortsetzen`,
  deleteOne: (name) => `${name} löschen`,
  didPause: (name) => `${name} pausiert.`,
  didResume: (name) => `${name} fortgesetzt.`,
  deleteText: "Es entstehen keine neuen Nachrichten. Vorhandene bleiben. Das lässt sich nicht rückgängig machen.",
  delete: "Löschen",
  deleted: "Zeitplan gelöscht.",
};
