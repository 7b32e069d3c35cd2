// The box that tries a filter policy or event pattern on a message, with the result and its explanation.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { PolicyTrial, PolicyTrialAnswer } from "../../api/types";
import { Badge, Button, Choices } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { FormField, useForm } from "../../ui/form";
import { indentedJson } from "./indented_json";
import { useTryWords } from "./try_words";

export type TrialScope = NonNullable<PolicyTrial["scope"]>;

export interface TrialStart {
  scope: TrialScope;
  policy: string;
}

/** Opens the box with a policy that exists. */
export type StartTrial = (start: TrialStart) => void;

interface Sample {
  policy: string;
  message: string;
}

const SCOPES = ["MessageAttributes", "MessageBody", "Event"] as const;

const SAMPLES: Record<TrialScope, Sample> = {
  MessageAttributes: {
    policy: indentedJson({ status: ["paid"], price: [{ numeric: [">=", 100] }] }),
    message: indentedJson({ status: "paid", price: 99 }),
  },
  MessageBody: {
    policy: indentedJson({ order: { status: ["paid"] } }),
    message: indentedJson({ order: { id: 7, status: "paid" } }),
  },
  Event: {
    policy: indentedJson({ source: ["fiapx.video"], detail: { status: ["COMPLETED", "FAILED"] } }),
    message: indentedJson({
      source: "fiapx.video",
      "detail-type": "Video Status Changed",
      detail: { status: "COMPLETED" },
    }),
  },
};

const ROWS = 7;

export function TryPolicy({ start }: { start: TrialStart | null }) {
  const words = useTryWords();
  const [scope, setScope] = useState<TrialScope>(start?.scope ?? "MessageAttributes");
  const [policy, setPolicy] = useState(start?.policy ?? SAMPLES[scope].policy);
  const [message, setMessage] = useState(SAMPLES[scope].message);
  const [result, setResult] = useState<PolicyTrialAnswer | null>(null);
  const form = useForm(["policy", "message"], async () => {
    setResult(null);
    const body: PolicyTrial = { scope, policy, message };
    setResult(await post<PolicyTrialAnswer>("/api/bus/try-policy", { body }));
  });
  const choose = (next: TrialScope) => {
    // What a person typed stays; a sample is replaced by that of the new scope.
    if (policy === SAMPLES[scope].policy) setPolicy(SAMPLES[next].policy);
    if (message === SAMPLES[scope].message) setMessage(SAMPLES[next].message);
    setScope(next);
    setResult(null);
  };
  const messageLabel = { MessageAttributes: words.attributes, MessageBody: words.body, Event: words.event }[scope];
  return (
    <form class="stack try-policy" onSubmit={form.submit} aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="soft">{words.intro}</p>
      <Choices<TrialScope>
        label={words.scope}
        value={scope}
        options={SCOPES.map((value) => ({ value, label: words[value] }))}
        choose={choose}
      />
      {form.note}
      <div class="form-pair">
        <FormField label={scope === "Event" ? words.pattern : words.policy} error={form.errorOf("policy")}>
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={ROWS}
              spellcheck={false}
              value={policy}
              onInput={(event) => setPolicy(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={messageLabel} error={form.errorOf("message")}>
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={ROWS}
              spellcheck={false}
              value={message}
              onInput={(event) => setMessage(event.currentTarget.value)}
            />
          )}
        </FormField>
      </div>
      <div class="line">
        <Button type="submit" kind="primary" disabled={form.isSending}>
          {words.run}
        </Button>
      </div>
      <div role="status">{result !== null && <Result result={result} />}</div>
    </form>
  );
}

function Result({ result }: { result: PolicyTrialAnswer }) {
  const words = useTryWords();
  return (
    <div class="card stack">
      <p>
        <Badge tone={result.matched ? "good" : "warn"} icon={result.matched ? "check" : "cross"}>
          {result.matched ? words.matches : words.noMatch}
        </Badge>
      </p>
      <dl class="fact-list">
        <Fact name={words.decidedBy}>{result.key === null ? null : <code>{result.key}</code>}</Fact>
        <Fact name={words.why}>
          <span lang="en">{result.reason}</span>
        </Fact>
      </dl>
    </div>
  );
}
