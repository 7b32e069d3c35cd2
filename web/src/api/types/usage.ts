// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AmountsAnswer {
  uploads: number;
  uploaded_bytes: number;
  processed_seconds: number;
  transcribed_seconds: number;
  frames_read: number;
  job_seconds: Record<string, number>;
  api_requests: number;
  notifications: number;
}

export interface DayAnswer {
  uploads: number;
  uploaded_bytes: number;
  processed_seconds: number;
  transcribed_seconds: number;
  frames_read: number;
  job_seconds: Record<string, number>;
  api_requests: number;
  notifications: number;
  day: string;
}

export interface OwnerAnswer {
  owner_id: string;
  name: string | null;
  videos: number;
  stored_bytes: number;
  originals_bytes: number;
  derived_bytes: number;
  recordings_bytes: number;
  uploads: number;
  uploaded_bytes: number;
  processed_seconds: number;
  transcribed_seconds: number;
  frames_read: number;
  job_seconds: number;
  api_requests: number;
  notifications: number;
  quotas: QuotasAnswer;
}

export interface OwnerQuotasAnswer {
  owner_id: string;
  set: QuotasAnswer;
  in_force: QuotasAnswer;
}

export interface OwnersAnswer {
  month: string;
  defaults: QuotasAnswer;
  owners: Array<OwnerAnswer>;
  next_cursor: string | null;
}

export interface QuotaUseAnswer {
  quota: string;
  used: number;
  limit: number | null;
  resets_at: string | null;
}

export interface QuotasAnswer {
  storage_bytes: number | null;
  videos: number | null;
  open_uploads: number | null;
  minutes_per_month: number | null;
}

export interface StoredAnswer {
  originals_bytes: number;
  derived_bytes: number | null;
  recordings_bytes: number | null;
}

export interface UsageAnswer {
  owner_id: string;
  month: string;
  total: AmountsAnswer;
  days: Array<DayAnswer>;
  stored: StoredAnswer;
  quotas: Array<QuotaUseAnswer>;
}
