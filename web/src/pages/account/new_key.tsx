// The form for a new API key. The key is kept in this component only, until the person has copied it.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { NewApiKey, NewApiKeyAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { FormField, useForm } from "../../ui/form";
import { useAccountWords } from "./words";

const LIFETIMES_DAYS = [30, 90, 365];
const NO_END = "";
const AWS_SCOPE = "bus:use";

interface Props {
  /** Every scope, with its description. */
  scopes: Record<string, string>;
  preselected: string[];
  created: () => void;
}

export function NewKey({ scopes, preselected, created }: Props) {
  const words = useAccountWords();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>(preselected);
  const [days, setDays] = useState(NO_END);
  const [made, setMade] = useState<NewApiKeyAnswer | null>(null);
  const form = useForm(["name", "scopes"], async () => {
    const body: NewApiKey = { name, scopes: chosen, expires_in_days: days === NO_END ? null : Number(days) };
    setMade(await post<NewApiKeyAnswer>("/api/keys", { body }));
    setName("");
    setChosen(preselected);
    created();
  });
  if (made !== null) return <ShownOnce made={made} done={() => setMade(null)} />;
  const toggle = (scope: string) =>
    setChosen((old) => (old.includes(scope) ? old.filter((item) => item !== scope) : [...old, scope]));
  return (
    <form class="stack" onSubmit={form.submit}>
      {form.note}
      <FormField label={words.name} hint={words.nameHint} error={form.errorOf("name")}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </FormField>
      <fieldset class="stack">
        <legend class="label">{words.scopes}</legend>
        {Object.entries(scopes).map(([scope, description]) => (
          <label key={scope} class="check">
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              <code>{scope}</code> <small>{words.scopeText(scope) ?? description}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <FormField label={words.expires}>
        {(attributes) => (
          <select {...attributes} value={days} onChange={(event) => setDays(event.currentTarget.value)}>
            <option value={NO_END}>{words.never}</option>
            {LIFETIMES_DAYS.map((count) => (
              <option key={count} value={String(count)}>
                {words.days(count)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <Button type="submit" kind="primary" disabled={form.isSending || chosen.length === 0}>
        {words.create}
      </Button>
    </form>
  );
}

function ShownOnce({ made, done }: { made: NewApiKeyAnswer; done: () => void }) {
  const words = useAccountWords();
  const variables = [
    ["AWS_ACCESS_KEY_ID", made.access_key_id],
    ["AWS_SECRET_ACCESS_KEY", made.secret_access_key],
  ] as const;
  const isForAws = made.scopes.includes(AWS_SCOPE);
  const exports = variables.map(([name, value]) => `export ${name}=${value}`).join("\n");
  return (
    <div class="stack">
      <p role="status">
        <strong>{words.created}.</strong> {words.shownOnce}
      </p>
      <SecretField label={words.key} value={made.key} />
      {isForAws && (
        <>
          <p class="soft">{words.forAws}</p>
          {variables.map(([name, value]) => (
            <SecretField key={name} label={name} value={value} />
          ))}
        </>
      )}
      <div class="actions">
        <Button onClick={() => void copyText(made.key, words.copied)}>{isForAws ? words.copyKey : words.copy}</Button>
        {isForAws && <Button onClick={() => void copyText(exports, words.copied)}>{words.copyAws}</Button>}
        <Button kind="primary" onClick={done}>
          {words.done}
        </Button>
      </div>
    </div>
  );
}

function SecretField({ label, value }: { label: string; value: string }) {
  return (
    <FormField label={label}>
      {(attributes) => (
        <input {...attributes} readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      )}
    </FormField>
  );
}
