// The API's answers and bodies, made from its description: make api-types.

export interface AcknowledgeBody {
  version?: number | null;
}

export interface AcksAnswer {
  mark: number;
}

export interface AcksBody {
  client_id: string;
  sequences: Array<number>;
}

export interface AlertAnswer {
  alert_id: number;
  rule_id: number;
  event_id: number;
  severity: string;
  state: "pending" | "delivered" | "acknowledged" | "dismissed";
  created_at: string;
  delivered_at: string | null;
  escalated_at: string | null;
  settled_at: string | null;
  settled_by: string | null;
}

export interface AlertsAnswer {
  alerts: Array<AlertAnswer>;
  next_cursor: number | null;
}

export interface AnalysisAnswer {
  video_id: string;
  job_id: string | null;
  total_event_count: number;
  received_count: number;
  completion_received: boolean;
  result_s3_uri: string | null;
  finalized: boolean;
  created_at: string;
  updated_at: string;
  finalized_at: string | null;
  totals_disagree: boolean;
  summary: Record<string, unknown> | null;
}

export interface AnalysisRequest {
  video_id?: string | null;
  s3_uri?: string | null;
  output_s3_uri?: string | null;
  sns_topic_arn?: string | null;
  sampling_rate?: number;
  analyzer?: string | null;
  priority?: number;
}

export interface BatchAnswer {
  batch_id: string;
  state: string;
  detection_count: number;
  started_at: string;
  ended_at: string;
  close_reason: string | null;
}

export interface BodyFilter {
  source_queue?: string | null;
  reason?: string | null;
  type?: string | null;
  contains?: string | null;
  older_than_s?: number | null;
  redrives_at_most?: number | null;
  attributes?: Record<string, string>;
}

export interface BoxAnswer {
  x: number;
  y: number;
  width: number;
  height: number;
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

export type Category = "STANDUP_GAME" | "GUARD_PLAY" | "GUARD_PASSING" | "POSITIONAL_DOMINANCE" | "SUBMISSION_OFFENSE" | "DEFENSE_ESCAPES";

export interface ChoiceBody {
  ids?: Array<string> | null;
  filter?: BodyFilter | null;
  all?: boolean;
  dry_run?: boolean;
  limit?: number;
  rate?: number;
}

export interface CleanedAnswer {
  events_archived: number;
  events_purged: number;
  detections_removed: number;
  logs_removed: number;
  pictures_removed: number;
  is_dry_run: boolean;
}

export interface ClipAnswer {
  clip_id: string;
  video_id: string;
  status: string;
  t_start: number;
  t_end: number;
  padding_ms: number;
  start_ms: number | null;
  end_ms: number | null;
  s3_path: string | null;
  size_bytes: number | null;
  url: string | null;
  download_url: string | null;
  error_reason: string | null;
  created_at: string;
  expires_at: string | null;
}

export interface ClipRequest {
  video_id: string;
  t_start: number;
  t_end: number;
  padding_ms?: number;
}

export interface ClipsAnswer {
  clips: Array<ClipAnswer>;
  next_cursor: string | null;
}

export interface CompleteRequest {
  parts?: Array<NamedPart> | null;
}

export interface CompletedAnswer {
  videoId: string;
  status: string;
  sizeBytes: number | null;
}

export interface CompletedMultipart {
  location: string;
  key: string;
}

export interface Conditions {
  risk_threshold?: number | null;
  object_types?: Array<string>;
  camera_ids?: Array<string>;
  zones?: Array<string>;
  min_confidence?: number | null;
  schedule?: Schedule | null;
}

export interface CountsAnswer {
  job_types: Array<TypeCountsAnswer>;
}

export interface CreateMultipart {
  filename: string;
  type?: string | null;
  metadata?: Record<string, unknown>;
}

export interface CreateVideoRequest {
  totalSize: number;
  duration?: number | null;
  filename: string;
  extension?: string | null;
  teamId?: string | null;
}

export interface CreatedAnswer {
  message_id: string;
  status: string;
  created_date: string;
}

export interface CreatedMultipart {
  key: string;
  uploadId: string;
  bucket: string;
}

export interface DeadLetterAnswer {
  message_id: string;
  queue: string;
  source_queue: string | null;
  type: string | null;
  reason: string | null;
  receive_count: number;
  redrives: number;
  sent_at: string;
  first_received_at: string;
  dead_since: string;
}

export interface DeadLettersAnswer {
  dead_letters: Array<DeadLetterAnswer>;
  next: string | null;
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

export interface DetectionBody {
  camera_id: string;
  object_type: string;
  confidence: number;
  detected_at?: string | null;
  bbox?: [number, number, number, number] | null;
  image?: string | null;
  attributes?: Record<string, unknown>;
  source_id?: string | null;
}

export interface DetectionsAnswer {
  detections: Array<DetectionAnswer>;
  next_cursor: number | null;
}

export interface DetectionsBody {
  detections: Array<DetectionBody>;
}

export interface DownloadAnswer {
  url: string;
  file_name: string;
  expires_at: string;
}

export interface EntitiesAnswer {
  page: number;
  page_size: number;
  total: number;
  entities: Array<EntityAnswer>;
}

export interface EntityAnswer {
  entity_type: string;
  value: string;
  normalized_value: string;
  segment_id: string;
  text: string;
  start: number | null;
  t_start: number;
  t_end: number;
}

export type EntityType = "mention" | "hashtag" | "url" | "emoji" | "number";

export interface ErrorAnswer {
  error: ErrorBody;
}

export interface ErrorBody {
  code: string;
  message: string;
  details?: Record<string, unknown>;
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

export interface EventFiguresAnswer {
  low: Array<number>;
  medium: Array<number>;
  high: Array<number>;
  critical: Array<number>;
}

export interface EventsAnswer {
  events: Array<EventAnswer>;
  next_cursor: string | null;
}

export interface FrameAnswer {
  timestamp_ms: number;
  path: string;
  url: string;
  size_bytes: number;
}

export interface FramesAnswer {
  frames: Array<FrameAnswer>;
  total: number;
  next_after_ms: number | null;
}

export interface HealthAnswer {
  status: string;
  version: string;
  parts: Record<string, HealthPartAnswer> | null;
}

export interface HealthPartAnswer {
  status: string;
  error: string | null;
  milliseconds: number;
}

export interface HitAnswer {
  video_id: string;
  video_name: string;
  segment_id: string;
  text: string;
  highlights: Array<MarkAnswer>;
  match: string;
  t_start: number;
  t_end: number;
  confidence: number;
  bounding_box: BoxAnswer;
  language: string;
  frame_ms: number;
  thumbnail_url: string;
  play_url: string;
  stream_url: string;
}

export interface IntakeAnswer {
  taken_in: number;
  detections: Array<TakenInAnswer>;
}

export interface JobAgesAnswer {
  average_s: Array<number | null>;
  longest_s: Array<number | null>;
}

export interface JobAnswer {
  job_id: string;
  status: string;
  progress: number;
  message: string | null;
  result_s3_uri: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  job_type: string;
  video_id: string | null;
  retry_count: number;
  priority: number;
  started_at: string | null;
  finished_at: string | null;
  run_after: string | null;
  error_details: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  history: Array<JobAnswersMoveAnswer>;
}

export interface JobAnswersMoveAnswer {
  status: string;
  at: string;
  by: string | null;
  note: string | null;
}

export interface JobFiguresAnswer {
  job_type: string;
  done: Array<number>;
  failed: Array<number>;
}

export interface JobSummaryAnswer {
  job_id: string;
  status: string;
  progress: number;
  message: string | null;
  result_s3_uri: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  job_type: string;
  video_id: string | null;
  retry_count: number;
  priority: number;
  started_at: string | null;
  finished_at: string | null;
  run_after: string | null;
  error_details: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
}

export interface JobsAnswer {
  jobs: Array<JobSummaryAnswer>;
  next: string | null;
}

export interface JobsNowAnswer {
  job_type: string;
  queued: number;
  processing: number;
  failed: number;
  oldest_age_s: number | null;
}

export interface ListedPart {
  PartNumber: number;
  ETag: string;
  Size: number;
}

export interface LiveAnswer {
  stream: string;
  epoch: string;
  sequence: number;
  oldest: number;
  is_complete: boolean;
  has_more: boolean;
  messages: Array<LiveMessageAnswer>;
}

export interface LiveMessageAnswer {
  type: string;
  sequence: number;
  requires_ack: boolean;
  data: Record<string, unknown>;
}

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
  mails: Array<MailSummaryAnswer>;
  next: string | null;
}

export interface MarkAnswer {
  start: number;
  end: number;
}

export interface MarkedAnswer {
  clips: number;
}

export interface MeAnswer {
  user_id: string;
  email: string | null;
  roles: Array<"user" | "operator">;
  is_operator: boolean;
  needs_sign_in: boolean;
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
  payload: Record<string, unknown>;
  history: Array<StepAnswer>;
  ttl: number;
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
}

export interface MessagesAnswer {
  messages: Array<MessageSummaryAnswer>;
  next_cursor: string | null;
}

export interface MetRuleAnswer {
  rule_id: number;
  name: string;
  severity: string;
  alert_id: number;
  is_cooled_down: boolean;
}

export interface MetricsAnswer {
  period: string;
  counts: Record<string, number>;
  total: number;
  success_rate: number | null;
  average_processing_ms: number | null;
  recent_messages: Array<MessageSummaryAnswer>;
}

export interface NamedPart {
  part: number;
  etag: string;
}

export interface NewCamera {
  name: string;
  camera_id?: string | null;
  zone?: string;
  team_id?: string | null;
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

export interface NewZone {
  name: string;
  kind: "entry" | "restricted" | "public" | "other";
  polygon: Array<[number, number]>;
}

export interface NewsAnswer {
  stream: string;
  epoch: string;
  sequence: number;
  gap: Record<string, unknown> | null;
  messages: Array<Record<string, unknown>>;
}

export interface Nothing {
}

export interface NotificationPreferencesRuleAnswer {
  event: string;
  channels: Array<string>;
  is_default: boolean;
  priority: string;
  has_mail: boolean;
}

export interface NowAnswer {
  videos: Record<string, number>;
  critical_unacknowledged: number;
  jobs: Array<JobsNowAnswer> | null;
  queues: Array<QueueAnswer> | null;
  services_not_running: Array<ServiceAnswer> | null;
}

export interface OverviewAnswer {
  period: "1h" | "24h" | "7d";
  step_s: number;
  times: Array<string>;
  uploads: UploadFiguresAnswer;
  processing: ProcessingFiguresAnswer;
  events: EventFiguresAnswer;
  jobs: Array<JobFiguresAnswer> | null;
  job_ages: JobAgesAnswer | null;
  now: NowAnswer;
}

export interface PartRequest {
  etag: string;
}

export interface PipelineAnswer {
  video_id: string;
  steps: Array<PipelineStepAnswer>;
}

export interface PipelineStepAnswer {
  name: string;
  status: string;
  job_id: string | null;
  progress: number;
  message: string | null;
  attempts: number;
  next_attempt_at: string | null;
  error: string | null;
}

export interface PipelinesAnswer {
  pipelines: Array<PipelineAnswer>;
}

export interface Preferences {
  events?: Record<string, Array<"log" | "ntfy" | "webhook" | "email">>;
  ntfy_topic?: string | null;
  webhook_url?: string | null;
  email?: string | null;
  quiet_hours?: QuietHours | null;
}

export interface PreferencesAnswer {
  preferences: Preferences;
  rules: Array<NotificationPreferencesRuleAnswer>;
}

export interface ProcessingFiguresAnswer {
  videos: Array<number>;
  seconds_per_minute: Array<number | null>;
}

export interface ProgressAnswer {
  videoId: string;
  status: string;
  totalParts: number | null;
  uploadedParts: number;
  percentage: number;
  partSize: number | null;
  totalSize: number | null;
  parts: Array<UploadAnswersPartAnswer>;
}

export interface QueueAnswer {
  queue: string;
  visible: number;
  in_flight: number;
  delayed: number;
  oldest_age_s: number | null;
  dead_letter_queue: string | null;
  dead_letters: number;
}

export interface QueuesAnswer {
  queues: Array<QueueAnswer>;
}

export interface QuietHours {
  start: string;
  end: string;
  zone?: string;
}

export interface RedriveBody {
  ids?: Array<string> | null;
  filter?: BodyFilter | null;
  all?: boolean;
  dry_run?: boolean;
  limit?: number;
  rate?: number;
  force?: boolean;
}

export interface ReportAnswer {
  queue: string;
  dry_run: boolean;
  matched: number;
  moved: number;
  skipped: number;
  without_source: number;
  by_source: Record<string, number>;
  ids: Array<string>;
  not_found: Array<string>;
  has_more: boolean;
}

export interface ResolveBody {
  version?: number | null;
  notes?: string | null;
  resolution_notes?: string | null;
}

export interface RetryAnswer {
  dry_run: boolean;
  retried: number;
  by_type: Record<string, number>;
  ids: Array<string>;
  skipped: Array<SkippedAnswer>;
  not_found: Array<string>;
  has_more: boolean;
}

export interface RetryBody {
  ids?: Array<string> | null;
  all?: boolean;
  job_type?: string | null;
  dry_run?: boolean;
  limit?: number;
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
  rules: Array<SecurityAnswersRuleAnswer>;
}

export interface Schedule {
  days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  start?: string;
  end?: string;
  zone?: string;
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

export interface SearchAnswer {
  page: number;
  page_size: number;
  total: number;
  query: string;
  hits: Array<HitAnswer>;
}

export interface SecurityAnswersRuleAnswer {
  rule_id: number;
  name: string;
  is_enabled: boolean;
  severity: string;
  conditions: Conditions;
  cooldown_s: number;
  escalate_after_s: number | null;
  team_id: string | null;
  created_at: string;
}

export interface SegmentAnswer {
  segment_id: string;
  text: string;
  normalized_text: string;
  t_start: number;
  t_end: number;
  confidence: number;
  bounding_box: BoxAnswer;
  language: string;
  frame_ms: number;
}

export interface SegmentsAnswer {
  page: number;
  page_size: number;
  total: number;
  segments: Array<SegmentAnswer>;
}

export interface ServiceAnswer {
  name: string;
  state: string;
  since: string;
  restarts: number;
  last_error: string | null;
}

export interface SignedPart {
  url: string;
  expires: number;
}

export interface SignedParts {
  presignedUrls: Record<string, string>;
}

export interface SkippedAnswer {
  job_id: string;
  job_type: string;
  status: string;
  active_job_id: string | null;
  reason: string;
}

export interface StartedAnswer {
  videoId: string;
  uploadId: string;
  status: string;
  totalParts: number | null;
  partSize: number | null;
  totalSize: number | null;
}

export interface StepAnswer {
  status: string;
  at: string;
  by: string | null;
  note: string | null;
}

export interface TakenInAnswer {
  id: number | null;
  batch_id: string | null;
  is_fast_path: boolean;
}

export interface TechniqueAnswer {
  id: string;
  event_index: number;
  start_time: string;
  end_time: string;
  t_start: number;
  t_end: number;
  category: string;
  skill_name: string;
  role: string;
  confidence: number;
}

export interface TechniquesAnswer {
  video_id: string;
  job_id: string | null;
  finalized: boolean;
  techniques: Array<TechniqueAnswer>;
  next: string | null;
}

export type TemplateName = "VideoQuaseFinalizado" | "VideoConcluido" | "VideoFalhou";

export interface TriedAnswer {
  event: EventAnswer;
  unmet: Array<string>;
}

export interface TypeCountsAnswer {
  job_type: string;
  queued: number;
  processing: number;
  done: number;
  failed: number;
  oldest_age_s: number | null;
}

export interface UnfinishedAnswer {
  uploads: Array<UnfinishedUpload>;
}

export interface UnfinishedUpload {
  videoId: string;
  name: string;
  status: string;
  totalSize: number | null;
  partSize: number | null;
  totalParts: number | null;
  uploadedParts: number;
  uploadedBytes: number;
  percentage: number;
  createdAt: string;
  activeAt: string;
}

export interface UploadAnswersPartAnswer {
  partNumber: number;
  etag: string;
  uploadedAt: string;
}

export interface UploadFiguresAnswer {
  created: Array<number>;
  failed: Array<number>;
}

export interface UrlAnswer {
  partNumber: number;
  url: string;
  size: number | null;
  expiresAt: string;
}

export interface UrlsAnswer {
  videoId: string;
  urls: Array<UrlAnswer>;
  etags: Array<UploadAnswersPartAnswer>;
  nextPartNumber: number | null;
}

export interface VideoAnswer {
  videoId: string;
  name: string;
  status: string;
  indexStatus: string;
  errorReason: string | null;
  sizeBytes: number | null;
  durationMs: number | null;
  fps: number | null;
  width: number | null;
  height: number | null;
  createdAt: string;
  updatedAt: string;
}

export type VideoStatus = "CREATED" | "UPLOADING" | "UPLOADED" | "PROCESSING" | "SPLITTING" | "PRINTING" | "COMPLETED" | "FAILED";

export interface VideosAnswer {
  videos: Array<VideoAnswer>;
  nextCursor: string | null;
}

export interface VideosMoveAnswer {
  status: string;
  at: string;
  reason: string | null;
}

export interface WholeCameraAnswer {
  camera_id: string;
  name: string;
  zone: string;
  team_id: string | null;
  created_at: string;
  zones: Array<ZoneAnswer>;
}

export interface WholeDeadLetterAnswer {
  message_id: string;
  queue: string;
  source_queue: string | null;
  type: string | null;
  reason: string | null;
  receive_count: number;
  redrives: number;
  sent_at: string;
  first_received_at: string;
  dead_since: string;
  topic_arn: string | null;
  body: string;
  attributes: Record<string, Record<string, string>>;
  context: Record<string, string>;
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

export interface WholeJobAnswer {
  job_id: string;
  status: string;
  progress: number;
  message: string | null;
  result_s3_uri: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  job_type: string;
  video_id: string | null;
  retry_count: number;
  priority: number;
  started_at: string | null;
  finished_at: string | null;
  run_after: string | null;
  error_details: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  history: Array<JobAnswersMoveAnswer>;
  payload: Record<string, unknown>;
  depends_on: string | null;
  locked_by: string | null;
  locked_until: string | null;
}

export interface WholeVideoAnswer {
  videoId: string;
  name: string;
  status: string;
  indexStatus: string;
  errorReason: string | null;
  sizeBytes: number | null;
  durationMs: number | null;
  fps: number | null;
  width: number | null;
  height: number | null;
  createdAt: string;
  updatedAt: string;
  history: Array<VideosMoveAnswer>;
}

export interface ZoneAnswer {
  zone_id: number;
  name: string;
  kind: string;
  polygon: Array<Array<number>>;
}
