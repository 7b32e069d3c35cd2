import { defineWords } from "../../core/language";

type Names = Record<string, readonly [label: string, hint?: string]>;

const NAMES_EN: Names = {
  SIGHTLINE_NOTIFICATIONS_CHANNEL: ["How emails are sent"],
  SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS: ["Sender", "Name <address> that emails come from."],
  SIGHTLINE_NOTIFICATIONS_SMTP_HOST: ["Mail server", "Its host name."],
  SIGHTLINE_NOTIFICATIONS_SMTP_PORT: ["Port"],
  SIGHTLINE_NOTIFICATIONS_SMTP_TLS: ["Encryption"],
  SIGHTLINE_NOTIFICATIONS_SMTP_USER: ["User name"],
  SIGHTLINE_NOTIFICATIONS_SMTP_PASSWORD: ["Password"],
  SIGHTLINE_NOTIFICATIONS_LANGUAGE: ["Language of emails", "For people who have not chosen one."],
  SIGHTLINE_PUSH_NTFY_SERVER: ["ntfy server"],
  SIGHTLINE_PUSH_NTFY_TOPIC: ["ntfy topic", "For notifications without one of their own."],
  SIGHTLINE_PUSH_NTFY_TOKEN: ["ntfy access token"],
  SIGHTLINE_PUSH_WEBHOOK_URL: ["Webhook URL", "For notifications without one of their own."],
  SIGHTLINE_RETENTION_VIDEOS_DAYS: ["Delete videos after (days)", "With everything of them. 0: never."],
  SIGHTLINE_RETENTION_ORIGINALS_DAYS: ["Remove originals after (days)", "Videos stay searchable. 0: never."],
  SIGHTLINE_RETENTION_FRAMES_DAYS: ["Remove key frames after (days)", "0: never."],
  SIGHTLINE_RETENTION_RECORDINGS_DAYS: [
    "Remove recordings after (days)",
    "Of cameras without a limit of their own. 0: never.",
  ],
  SIGHTLINE_RETENTION_RECORDINGS_MAX_BYTES: ["Bytes of recordings", "With more, the oldest are removed. 0: no limit."],
  SIGHTLINE_RETENTION_NOTICE_DAYS: ["Announce removals (days before)"],
  SIGHTLINE_TEXT_LANGUAGES: ["Languages of text on screen", "Codes, comma-separated, such as eng, por."],
  SIGHTLINE_SPEECH_TRANSCRIBE: ["Write down speech"],
};

const NAMES_PT: Names = {
  SIGHTLINE_NOTIFICATIONS_CHANNEL: ["Como os e-mails são enviados", ""],
  SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS: ["Remetente", "Nome <endereço> de onde vêm os e-mails."],
  SIGHTLINE_NOTIFICATIONS_SMTP_HOST: ["Servidor de e-mail", "O nome do host."],
  SIGHTLINE_NOTIFICATIONS_SMTP_PORT: ["Porta", "Vazio: a usual da criptografia escolhida."],
  SIGHTLINE_NOTIFICATIONS_SMTP_TLS: ["Criptografia", ""],
  SIGHTLINE_NOTIFICATIONS_SMTP_USER: ["Usuário", "Exige criptografia."],
  SIGHTLINE_NOTIFICATIONS_SMTP_PASSWORD: ["Senha", ""],
  SIGHTLINE_NOTIFICATIONS_LANGUAGE: ["Idioma dos e-mails", "Para quem não escolheu um."],
  SIGHTLINE_PUSH_NTFY_SERVER: ["Servidor ntfy", ""],
  SIGHTLINE_PUSH_NTFY_TOPIC: ["Tópico do ntfy", "Para notificações sem tópico próprio."],
  SIGHTLINE_PUSH_NTFY_TOKEN: ["Token de acesso do ntfy", ""],
  SIGHTLINE_PUSH_WEBHOOK_URL: ["URL do webhook", "Para notificações sem webhook próprio."],
  SIGHTLINE_RETENTION_VIDEOS_DAYS: ["Excluir vídeos após (dias)", "Com tudo o que têm. 0: nunca."],
  SIGHTLINE_RETENTION_ORIGINALS_DAYS: ["Remover originais após (dias)", "Os vídeos seguem pesquisáveis. 0: nunca."],
  SIGHTLINE_RETENTION_FRAMES_DAYS: ["Remover quadros-chave após (dias)", "0: nunca."],
  SIGHTLINE_RETENTION_RECORDINGS_DAYS: ["Remover gravações após (dias)", "De câmeras sem limite próprio. 0: nunca."],
  SIGHTLINE_RETENTION_RECORDINGS_MAX_BYTES: [
    "Bytes de gravações",
    "Acima disso, as mais antigas são removidas. 0: sem limite.",
  ],
  SIGHTLINE_RETENTION_NOTICE_DAYS: ["Anunciar remoções (dias antes)", ""],
  SIGHTLINE_TEXT_LANGUAGES: ["Idiomas do texto na tela", "Códigos separados por vírgula, como eng, por."],
  SIGHTLINE_SPEECH_TRANSCRIBE: ["Transcrever a fala", ""],
};

const CHOICES_EN: Record<string, string> = {
  sink: "Not at all: kept here",
  smtp: "Mail server (SMTP)",
  ses: "Amazon SES",
  log: "Only written to the log",
  starttls: "STARTTLS",
  tls: "TLS",
  none: "None",
  en: "English",
  pt: "Português",
  es: "Español",
  de: "Deutsch",
  auto: "If it is installed",
  always: "Always",
  never: "Only when asked for",
};

const CHOICES_PT: Record<string, string> = {
  ...CHOICES_EN,
  sink: "De nenhum modo: guardados aqui",
  smtp: "Servidor de e-mail (SMTP)",
  log: "Só escritos no log",
  none: "Nenhuma",
  auto: "Se estiver instalado",
  always: "Sempre",
  never: "Só quando pedido",
};

/** The names of settings, by the variable that pins them; a setting without a name is shown by its variable. */
export const useSettingNames = defineWords("settingNames", {
  en: {
    label: (name: string): string | undefined => NAMES_EN[name]?.[0],
    hint: (name: string): string | undefined => NAMES_EN[name]?.[1],
    choice: (value: string): string | undefined => CHOICES_EN[value],
  },
  pt: {
    label: (name: string): string | undefined => NAMES_PT[name]?.[0],
    hint: (name: string): string | undefined => NAMES_PT[name]?.[1],
    choice: (value: string): string | undefined => CHOICES_PT[value],
  },
});
