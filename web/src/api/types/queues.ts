// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { QueueAnswer } from "./overview";

export interface BusQueueAnswer {
  queue: string;
  visible: number;
  in_flight: number;
  delayed: number;
  oldest_age_s: number | null;
  dead_letter_queue: string | null;
  dead_letters: number;
  arn: string;
  account_id: string;
  owner_id: string | null;
  is_declared: boolean;
  created_at: string | null;
  name: string;
  url: string | null;
  is_fifo: boolean;
  visibility_timeout_s: number;
  retention_s: number;
  delay_s: number;
  wait_s: number;
  max_receives: number | null;
  dead_letter_arn: string | null;
  tags: Record<string, string>;
}

export interface BusRuleAnswer {
  arn: string;
  account_id: string;
  owner_id: string | null;
  is_declared: boolean;
  created_at: string | null;
  name: string;
  pattern: string | null;
  schedule: string | null;
  is_enabled: boolean;
  targets: Array<BusTargetAnswer>;
}

export interface BusSubscriptionAnswer {
  arn: string;
  account_id: string;
  owner_id: string | null;
  is_declared: boolean;
  created_at: string | null;
  protocol: string;
  endpoint: string;
  is_pending: boolean;
  filter_policy: string | null;
  filter_scope: "MessageAttributes" | "MessageBody";
  is_raw: boolean;
  dead_letter_arn: string | null;
}

export interface BusTargetAnswer {
  id: string;
  arn: string;
  dead_letter_arn: string | null;
  parameters: Record<string, unknown>;
}

export interface BusTopicAnswer {
  arn: string;
  account_id: string;
  owner_id: string | null;
  is_declared: boolean;
  created_at: string | null;
  name: string;
  is_fifo: boolean;
  tags: Record<string, string>;
  subscriptions: Array<BusSubscriptionAnswer>;
}

export interface BusTopologyAnswer {
  backend: "postgres" | "aws";
  endpoint_url: string | null;
  region: string;
  account_id: string;
  accepts_test_key: boolean;
  queues: Array<BusQueueAnswer>;
  topics: Array<BusTopicAnswer>;
  event_buses: Array<EventBusAnswer>;
}

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

export interface EventBusAnswer {
  arn: string;
  account_id: string;
  owner_id: string | null;
  is_declared: boolean;
  created_at: string | null;
  name: string;
  rules: Array<BusRuleAnswer>;
}

export interface PolicyTrial {
  scope?: "MessageAttributes" | "MessageBody" | "Event";
  policy: string | Record<string, unknown>;
  message: string | Record<string, unknown>;
}

export interface PolicyTrialAnswer {
  matched: boolean;
  key: string | null;
  reason: string;
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
