// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AlertHours {
  days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  start?: string;
  end?: string;
  zone?: string;
}

export interface AlertRuleAnswer {
  rule_id: number;
  name: string;
  is_enabled: boolean;
  severity: string;
  conditions: Conditions;
  cooldown_s: number;
  escalate_after_s: number | null;
  team_id: string | null;
  paused: string | null;
  created_at: string;
}

export interface BatchAnswer {
  batch_id: string;
  state: string;
  detection_count: number;
  started_at: string;
  ended_at: string;
  close_reason: string | null;
}

export interface CameraAnswer {
  camera_id: string;
  name: string;
  zone: string;
  team_id: string | null;
  created_at: string;
}

export interface CamerasAnswer {
  cameras: Array<CameraAnswer>;
  next_cursor: string | null;
}

export interface Conditions {
  risk_threshold?: number | null;
  object_types?: Array<string>;
  camera_ids?: Array<string>;
  zones?: Array<string>;
  min_confidence?: number | null;
  schedule?: AlertHours | null;
}

export interface DetectionAnswer {
  id: number;
  batch_id: string;
  camera_id: string;
  object_type: string;
  confidence: number;
  detected_at: string;
  bbox: Array<number> | null;
  image_url: string | null;
  attributes: Record<string, unknown>;
}

export interface DetectionsAnswer {
  detections: Array<DetectionAnswer>;
  next_cursor: number | null;
}

export interface EventAnswer {
  id: number;
  batch_id: string;
  camera_id: string;
  risk_score: number;
  risk_level: string;
  summary: string;
  reasoning: string;
  assessor: string;
  model: string | null;
  object_types: Array<string>;
  state: string;
  version: number;
  sequence: number | null;
  started_at: string;
  ended_at: string | null;
  created_at: string;
  broadcasted_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  resolution_notes: string | null;
  archived_at: string | null;
}

export interface EventsAnswer {
  events: Array<EventAnswer>;
  next_cursor: string | null;
}

export interface MetRuleAnswer {
  rule_id: number;
  name: string;
  severity: string;
  alert_id: number;
  is_cooled_down: boolean;
}

export interface NewZone {
  name: string;
  kind: "entry" | "restricted" | "public" | "other";
  polygon: Array<[number, number]>;
}

export interface RuleBody {
  name: string;
  conditions?: Conditions;
  is_enabled?: boolean;
  severity?: "high" | "critical";
  cooldown_s?: number;
  escalate_after_s?: number | null;
  team_id?: string | null;
}

export interface RuleTestAnswer {
  looked_at: number;
  matched: Array<EventAnswer>;
  others: Array<TriedAnswer>;
}

export interface RulesAnswer {
  rules: Array<AlertRuleAnswer>;
}

export interface TriedAnswer {
  event: EventAnswer;
  unmet: Array<string>;
}

export interface WholeCameraAnswer {
  camera_id: string;
  name: string;
  zone: string;
  team_id: string | null;
  created_at: string;
  zones: Array<ZoneAnswer>;
}

export interface WholeEventAnswer {
  id: number;
  batch_id: string;
  camera_id: string;
  risk_score: number;
  risk_level: string;
  summary: string;
  reasoning: string;
  assessor: string;
  model: string | null;
  object_types: Array<string>;
  state: string;
  version: number;
  sequence: number | null;
  started_at: string;
  ended_at: string | null;
  created_at: string;
  broadcasted_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  resolution_notes: string | null;
  archived_at: string | null;
  camera: CameraAnswer | null;
  batch: BatchAnswer | null;
  detections: Array<DetectionAnswer>;
  alert_rules: Array<MetRuleAnswer>;
}

export interface ZoneAnswer {
  zone_id: number;
  name: string;
  kind: string;
  polygon: Array<Array<number>>;
}
