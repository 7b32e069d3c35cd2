// The name of a queue, topic or event rule: a plain label, with the name on the wire beside it.

import { useQueueNames } from "./queue_words";

type QueueLabel = keyof ReturnType<typeof useQueueNames>;

const LABELS: readonly (readonly [RegExp, QueueLabel])[] = [
  [/^video_analysis_events/, "technique"],
  [/^video-storage-events/, "storage"],
  [/^video-split-queue/, "split"],
  [/^notification-(queue|topic)/, "notification"],
  [/^message-notice-queue/, "notice"],
  [/^rez-agent-messages/, "messages"],
  [/^rez-agent-message/, "message"],
  [/^rez-agent-alert-queue/, "alert"],
  [/^rez-agent-schedule-queue/, "schedule"],
  [/^bus-deliveries/, "delivery"],
  [/^video-upload-completed/, "uploadRule"],
  [/^video-status-notification/, "statusRule"],
  [/^video-outcome-notice/, "outcomeRule"],
  [/^analysis-finalized-notice/, "analysisRule"],
  [/^security-event-notice/, "securityRule"],
];

/** The label of a queue, topic or ARN; undefined for names that are not Sightline's. */
export function queueLabel(name: string): QueueLabel | undefined {
  const last = name.slice(name.lastIndexOf(":") + 1);
  return LABELS.find(([pattern]) => pattern.test(last))?.[1];
}

export function useQueueLabel(): (name: string) => string | undefined {
  const words = useQueueNames();
  return (name) => {
    const label = queueLabel(name);
    return label === undefined ? undefined : words[label];
  };
}

export function QueueName({ name }: { name: string }) {
  const label = useQueueLabel()(name);
  if (label === undefined) return <>{name}</>;
  return (
    <span class="queue-label" title={name}>
      <span>{label}</span> <small class="soft">{name}</small>
    </span>
  );
}
