// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface MailAnswer {
  mail_id: string;
  video_id: string;
  template: string;
  language: string;
  recipient: string | null;
  subject: string;
  status: string;
  channel: string | null;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
  provider_id: string | null;
  can_resend: boolean;
  text: string;
  html: string;
}

export interface MailSummaryAnswer {
  mail_id: string;
  video_id: string;
  template: string;
  language: string;
  recipient: string | null;
  subject: string;
  status: string;
  channel: string | null;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
}

export interface MailsAnswer {
  next_cursor: string | null;
  mails: Array<MailSummaryAnswer>;
  next: string | null;
}

export type TemplateName = "VideoQuaseFinalizado" | "VideoConcluido" | "VideoFalhou";
