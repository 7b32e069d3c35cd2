// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface SettingAnswer {
  name: string;
  group: "mail" | "push" | "retention" | "reading";
  kind: "text" | "number" | "switch" | "choice" | "list" | "secret";
  value: string | number | boolean | Array<string> | null;
  is_set: boolean;
  default: string | number | boolean | Array<string> | null;
  choices: Array<string>;
  is_optional: boolean;
  source: "environment" | "stored" | "default";
  description: string;
  changed_at: string | null;
  changed_by: string | null;
}

export interface SettingsAnswer {
  settings: Array<SettingAnswer>;
  changed: string;
}

export interface SettingsBody {
  values: Record<string, string | number | boolean | Array<string> | null>;
}
