// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { QueueAnswer } from "./overview";

export interface DeadLetterAnswer {
  message_id: string;
  queue: string;
  source_queue: string | null;
  type: string | null;
  reason: string | null;
  receive_count: number | null;
  redrives: number;
  sent_at: string | null;
  first_received_at: string | null;
  dead_since: string | null;
}

export interface DeadLettersAnswer {
  next_cursor: string | null;
  dead_letters: Array<DeadLetterAnswer>;
  next: string | null;
}

export interface QueuesAnswer {
  queues: Array<QueueAnswer>;
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

export interface WholeDeadLetterAnswer {
  message_id: string;
  queue: string;
  source_queue: string | null;
  type: string | null;
  reason: string | null;
  receive_count: number | null;
  redrives: number;
  sent_at: string | null;
  first_received_at: string | null;
  dead_since: string | null;
  topic_arn: string | null;
  body: string;
  attributes: Record<string, Record<string, string>>;
  context: Record<string, string>;
}
