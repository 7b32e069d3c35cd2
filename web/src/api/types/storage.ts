// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface KindAnswer {
  kind: string;
  bytes: number;
  objects: number;
}

export interface OwnStorageAnswer {
  storage_bytes: QuotaAnswer;
  videos: QuotaAnswer;
  open_uploads: QuotaAnswer;
  rules: Array<RuleAnswer>;
}

export interface QuotaAnswer {
  used: number;
  limit: number | null;
}

export interface RuleAnswer {
  rule: string;
  days: number | null;
  max_bytes: number | null;
}

export interface StorageAnswer {
  kinds: Array<KindAnswer>;
  measured_at: string | null;
  usable_bytes: number | null;
  reserved_bytes: number;
  announced_bytes: number;
  rules: Array<RuleAnswer>;
}
