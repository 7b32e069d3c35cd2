// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AvailableLanguageAnswer {
  code: string;
  name: string;
  download_bytes: number;
  size_bytes: number;
}

export interface InstalledLanguageAnswer {
  code: string;
  name: string | null;
  source: "environment" | "added" | "installation";
  size_bytes: number;
  is_used: boolean;
}

export interface LanguageAdditionAnswer {
  code: string;
  done_bytes: number;
  total_bytes: number;
  error: string | null;
}

export interface LanguagesAnswer {
  engine: string;
  installed: Array<InstalledLanguageAnswer>;
  missing: Array<string>;
  available: Array<AvailableLanguageAnswer>;
  additions: Array<LanguageAdditionAnswer>;
  cannot_change: "not_operator" | "workers_elsewhere" | null;
}
