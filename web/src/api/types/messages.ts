// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AddressAnswer {
  channel: "email" | "ntfy" | "webhook";
  address: string;
  state: "pending" | "confirmed" | "not_needed";
  confirmed_by: string | null;
  confirmed_until: string | null;
  has_secret: boolean;
}

export interface AddressesAnswer {
  addresses: Array<AddressAnswer>;
}

export interface BrowserAnswer {
  browser_id: string;
  name: string;
  endpoint: string;
  created_at: string;
  last_sent_at: string | null;
}

export interface BrowsersAnswer {
  public_key: string;
  max_browsers: number;
  browsers: Array<BrowserAnswer>;
}

export interface ChannelAnswer {
  channel: string;
  cannot: "no_address" | "no_mail_server" | null;
}

export interface CreatedAnswer {
  message_id: string;
  status: string;
  created_date: string;
}

export interface MessageAnswer {
  message_id: string;
  message_type: string;
  stage: string;
  status: string;
  created_by: string;
  correlation_id: string;
  channel: string;
  title: string;
  created_date: string;
  updated_date: string;
  processing_started_at: string | null;
  processing_completed_at: string | null;
  error_message: string | null;
  retry_count: number;
  notification_id: string | null;
  is_kept: boolean;
  payload: Record<string, unknown>;
  history: Array<StepAnswer>;
  ttl: number | null;
}

export interface MessageSummaryAnswer {
  message_id: string;
  message_type: string;
  stage: string;
  status: string;
  created_by: string;
  correlation_id: string;
  channel: string;
  title: string;
  created_date: string;
  updated_date: string;
  processing_started_at: string | null;
  processing_completed_at: string | null;
  error_message: string | null;
  retry_count: number;
  notification_id: string | null;
  is_kept: boolean;
}

export interface MessagesAnswer {
  messages: Array<MessageSummaryAnswer>;
  next_cursor: string | null;
}

export interface MetricsAnswer {
  period: string;
  counts: Record<string, number>;
  total: number;
  success_rate: number | null;
  average_processing_ms: number | null;
  recent_messages: Array<MessageSummaryAnswer>;
}

export interface NewMessageBody {
  message_type: string;
  payload?: Record<string, unknown>;
  stage?: "dev" | "stage" | "prod" | null;
  channel?: "log" | "ntfy" | "webhook" | "email" | null;
  target?: string | null;
  priority?: "low" | "normal" | "high" | "critical" | null;
}

export interface NewScheduleBody {
  name: string;
  expression: string;
  zone?: string;
  message_type: string;
  payload?: Record<string, unknown>;
  channel?: "log" | "ntfy" | "webhook" | "email" | null;
  priority?: "low" | "normal" | "high" | "critical" | null;
}

export interface NotificationRuleAnswer {
  event: string;
  channels: Array<string>;
  is_default: boolean;
  priority: string;
  has_mail: boolean;
}

export interface Preferences {
  events?: Record<string, Array<"log" | "ntfy" | "webhook" | "email" | "web_push">>;
  ntfy_topic?: string | null;
  webhook_url?: string | null;
  email?: string | null;
  language?: "pt" | "en" | "es" | "de" | null;
  quiet_hours?: QuietHours | null;
}

export interface PreferencesAnswer {
  preferences: Preferences;
  rules: Array<NotificationRuleAnswer>;
  channels: Array<ChannelAnswer>;
  default_language: "pt" | "en" | "es" | "de";
}

export interface QuietHours {
  start: string;
  end: string;
  zone?: string;
  lets_critical?: boolean;
}

export interface ScheduleAnswer {
  schedule_id: string;
  name: string;
  expression: string;
  zone: string;
  message_type: string;
  payload: Record<string, unknown>;
  channel: string;
  state: string;
  next_tick: string | null;
  last_tick: string | null;
}

export interface SchedulesAnswer {
  schedules: Array<ScheduleAnswer>;
}

export interface SecretAnswer {
  secret: string;
  previous_until: string | null;
}

export interface StepAnswer {
  status: string;
  at: string;
  by: string | null;
  note: string | null;
}
