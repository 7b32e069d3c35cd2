// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { ServiceAnswer } from "./health";

export interface EventFiguresAnswer {
  low: Array<number>;
  medium: Array<number>;
  high: Array<number>;
  critical: Array<number>;
}

export interface JobAgesAnswer {
  average_s: Array<number | null>;
  longest_s: Array<number | null>;
}

export interface JobFiguresAnswer {
  job_type: string;
  done: Array<number>;
  failed: Array<number>;
}

export interface JobsNowAnswer {
  job_type: string;
  queued: number;
  processing: number;
  failed: number;
  oldest_age_s: number | null;
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

export interface ProcessingFiguresAnswer {
  videos: Array<number>;
  seconds_per_minute: Array<number | null>;
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

export interface UploadFiguresAnswer {
  created: Array<number>;
  failed: Array<number>;
}
