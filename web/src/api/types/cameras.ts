// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface CameraStateAnswer {
  state: "connecting" | "live" | "lost" | "refused" | "off";
  code: string | null;
  reason: string | null;
  since: string;
  last_picture_at: string | null;
  width: number | null;
  height: number | null;
  codec: string | null;
  fps: number | null;
}

export interface DeviceAnswer {
  name: string;
  hardware: string;
  address: string;
  xaddr: string;
}

export interface DeviceStreamAnswer {
  name: string;
  address: string;
  width: number | null;
  height: number | null;
  codec: string | null;
  fps: number | null;
}

export interface DeviceStreamsAnswer {
  streams: Array<DeviceStreamAnswer>;
}

export interface DevicesAnswer {
  devices: Array<DeviceAnswer>;
}

export interface MotionAnswer {
  learned_at: string;
  share: number;
  rows: number;
  columns: number;
  cells: Array<string>;
  picture: string;
}

export interface RecordedSpanAnswer {
  started_at: string;
  ended_at: string;
  bytes: number;
}

export interface RecorderAnswer {
  state: string;
  reason: string | null;
  since: string | null;
  dropped: number;
}

export interface SourceAnswer {
  kind: "stream" | "mjpeg" | "snapshot" | "folder" | "mqtt" | "sample" | "push";
  address: string;
  sub_address: string;
  username: string | null;
  has_password: boolean;
  transport: "auto" | "tcp" | "udp";
  verifies_certificate: boolean;
  looks_per_s: number;
  detects: boolean;
  reports_motion: boolean;
  detect_only_in_zones: boolean;
  record_mode: "off" | "events" | "continuous";
  record_days: number | null;
  record_max_bytes: number | null;
  is_enabled: boolean;
}

export interface SourceBody {
  kind?: "stream" | "mjpeg" | "snapshot" | "folder" | "mqtt" | "sample" | "push" | null;
  address?: string | null;
  sub_address?: string | null;
  username?: string | null;
  password?: string | null;
  transport?: "auto" | "tcp" | "udp" | null;
  verifies_certificate?: boolean | null;
  looks_per_s?: number | null;
  detects?: boolean | null;
  reports_motion?: boolean | null;
  detect_only_in_zones?: boolean | null;
  record_mode?: "off" | "events" | "continuous" | null;
  record_days?: number | null;
  record_max_bytes?: number | null;
  is_enabled?: boolean | null;
}

export interface TimelineAnswer {
  recordings: Array<RecordedSpanAnswer>;
  events: Array<TimelineEventAnswer>;
  bytes: number;
  recorder: RecorderAnswer;
}

export interface TimelineEventAnswer {
  id: number;
  started_at: string;
  ended_at: string | null;
  risk_level: string;
  label: string | null;
  summary: string;
}

export interface TriedSourceAnswer {
  picture: string;
  width: number;
  height: number;
  codec: string;
  fps: number | null;
  took_ms: number;
  sub_stream: TriedSubStreamAnswer | null;
}

export interface TriedSubStreamAnswer {
  width: number;
  height: number;
  codec: string;
  fps: number | null;
}

export interface UploadAnswer {
  folder: string | null;
  ftp_username: string;
  ftp_port: number | null;
}

export interface WatchedCameraAnswer {
  camera_id: string;
  name: string;
  zone: string;
  team_id: string | null;
  created_at: string;
  source: SourceAnswer | null;
  state: CameraStateAnswer | null;
  upload: UploadAnswer | null;
  may_change: boolean;
}
