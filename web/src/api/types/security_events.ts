// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { CameraStateAnswer, SourceAnswer, UploadAnswer, WatchedCameraAnswer } from "./cameras";

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
  escalation: Array<EscalationStep>;
  quiet_hours: AlertHours | null;
  quiet_lets_critical: boolean;
  snoozed_until: string | null;
  team_id: string | null;
  paused: string | null;
  created_at: string;
}

export interface AssigneeAnswer {
  user_id: string;
  name: string | null;
}

export interface AssigneesAnswer {
  people: Array<AssigneeAnswer>;
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

export interface CameraSnoozeAnswer {
  camera_id: string;
  snoozed_until: string | null;
  lets_critical: boolean;
}

export interface CamerasAnswer {
  cameras: Array<WatchedCameraAnswer>;
  next_cursor: string | null;
}

export interface CommentAnswer {
  comment_id: number;
  author: AssigneeAnswer;
  text: string;
  created_at: string;
  edited_at: string | null;
  is_own: boolean;
}

export interface CommentsAnswer {
  comments: Array<CommentAnswer>;
}

export interface Conditions {
  risk_threshold?: number | null;
  object_types?: Array<string>;
  camera_ids?: Array<string>;
  zones?: Array<string>;
  behaviours?: Array<string>;
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

export interface EscalationStep {
  after_s: number;
  user_id?: string | null;
  channel?: "email" | "ntfy" | "webhook" | null;
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
  objects: Array<string>;
  zones: Array<string>;
  behaviours: Array<string>;
  notes: Array<string>;
  picture_url: string | null;
  video: VideoMomentAnswer | null;
  assignee: AssigneeAnswer | null;
  snoozed_until: string | null;
  comment_count: number;
  clip_state: string | null;
}

export interface EventClipAnswer {
  event_id: number;
  state: string;
  started_at: string | null;
  ended_at: string | null;
  size_bytes: number | null;
  left_out: number;
  url: string | null;
  download_url: string | null;
  poster_url: string | null;
  preview_url: string | null;
  error_reason: string | null;
}

export interface EventsAnswer {
  events: Array<EventAnswer>;
  next_cursor: string | null;
}

export interface HistoryAnswer {
  history: Array<HistoryEntryAnswer>;
}

export interface HistoryEntryAnswer {
  at: string;
  action: string;
  by: string | null;
  details: Record<string, unknown>;
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
  kind: "entry" | "restricted" | "public" | "other" | "mask" | "line";
  polygon: Array<[number, number]>;
  loiter_s?: number | null;
  direction?: "both" | "to_right" | "to_left" | null;
}

export interface RecipientsAnswer {
  teams: Array<TeamAnswer>;
}

export interface RuleBody {
  name: string;
  conditions?: Conditions;
  is_enabled?: boolean;
  severity?: "high" | "critical";
  cooldown_s?: number;
  escalate_after_s?: number | null;
  escalation?: Array<EscalationStep>;
  quiet_hours?: AlertHours | null;
  quiet_lets_critical?: boolean;
  team_id?: string | null;
}

export interface RuleTestAnswer {
  looked_at: number;
  matched: Array<EventAnswer>;
  others: Array<TriedAnswer>;
}

export interface RuleTrialAnswer {
  days: number;
  looked_at: number;
  matched: number;
  fired: number;
  quiet: number;
  is_complete: boolean;
  events: Array<EventAnswer>;
}

export interface RulesAnswer {
  rules: Array<AlertRuleAnswer>;
}

export interface TeamAnswer {
  team_id: string;
  people: Array<AssigneeAnswer>;
}

export interface TriedAnswer {
  event: EventAnswer;
  unmet: Array<string>;
}

export interface VideoMomentAnswer {
  video_id: string;
  t_ms: number;
}

export interface WholeCameraAnswer {
  camera_id: string;
  name: string;
  zone: string;
  team_id: string | null;
  created_at: string;
  source: SourceAnswer | null;
  state: CameraStateAnswer | null;
  upload: UploadAnswer | null;
  may_change: boolean;
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
  objects: Array<string>;
  zones: Array<string>;
  behaviours: Array<string>;
  notes: Array<string>;
  picture_url: string | null;
  video: VideoMomentAnswer | null;
  assignee: AssigneeAnswer | null;
  snoozed_until: string | null;
  comment_count: number;
  clip_state: string | null;
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
  loiter_s: number | null;
  direction: string | null;
}
