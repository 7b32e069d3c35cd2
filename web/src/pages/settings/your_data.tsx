// Export of everything that is stored about a person, and erasure of the account: one's own, or anyone's for operators.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { FileAddressAnswer, NewErasure, NewExport, PersonDataAnswer, PersonRequestAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { bytes, moment } from "../../core/format";
import { Badge, Button, ErrorNote, Loading } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notify, notifyError } from "../../ui/toasts";
import { useUsageWords } from "./usage_words";

const REFRESH_MS = 3000;
const OPEN = ["waiting", "running"];

export const YourData = () => <PersonData base="/api/me" />;

interface Person {
  /** Where the routes of the person's data begin. */
  base: string;
  /** Of another person than the reader. */
  name?: string;
}

export function PersonData({ base, name }: Person) {
  const path = `${base}/data`;
  const data = useData(path, (signal) => get<PersonDataAnswer>(path, { signal }), { every: REFRESH_MS });
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  const { requests } = data.value;
  return (
    <div class="stack">
      <Exports base={base} name={name} exports={requests.filter((one) => one.kind === "export")} reload={data.reload} />
      <Erasure
        base={base}
        name={name}
        known={data.value}
        open={requests.find((one) => one.kind === "erasure" && OPEN.includes(one.state))}
        reload={data.reload}
      />
    </div>
  );
}

function Exports(props: Person & { exports: PersonRequestAnswer[]; reload: () => void }) {
  const { base, name, exports, reload } = props;
  const words = useUsageWords();
  const [withFiles, setWithFiles] = useState(false);
  const start = () => {
    const body: NewExport = { with_files: withFiles };
    post(`${base}/exports`, { body }).then(reload, notifyError);
  };
  return (
    <section class="card stack" aria-label={words.exportTitle}>
      <h3>{words.exportTitle}</h3>
      <p>{name === undefined ? words.exportText : words.exportTextOf(name)}</p>
      <label class="check">
        <input type="checkbox" checked={withFiles} onChange={() => setWithFiles(!withFiles)} />
        <span>{words.withFiles}</span>
      </label>
      <div>
        <Button icon="download" disabled={exports.some((one) => OPEN.includes(one.state))} onClick={start}>
          {words.export}
        </Button>
      </div>
      <ul class="card-list" aria-label={words.exportTitle}>
        {exports.map((one) => (
          <li key={one.request_id} class="line">
            <Badge tone={one.state === "failed" ? "bad" : one.state === "done" ? "good" : "neutral"}>
              {words[`state_${one.state as "done"}`]}
            </Badge>
            <span>{moment(one.requested_at)}</span>
            {one.state === "failed" && <span class="soft">{one.error}</span>}
            {one.state === "done" && one.expires_at !== null && (
              <>
                <Button onClick={() => download(base, one.request_id)}>{words.download}</Button>
                <span class="soft">
                  {one.size_bytes !== null && bytes(one.size_bytes)} · {words.until(moment(one.expires_at))}
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The address is asked for when it is needed: it works for some minutes only. */
function download(base: string, requestId: string): void {
  get<FileAddressAnswer>(`${base}/exports/${requestId}/address`).then((found) => {
    location.assign(found.url);
  }, notifyError);
}

function Erasure(
  props: Person & { known: PersonDataAnswer; open: PersonRequestAnswer | undefined; reload: () => void },
) {
  const words = useUsageWords();
  const { base, name, known, open, reload } = props;
  const [typed, setTyped] = useState("");
  const form = useForm(["confirm"], async () => {
    const body: NewErasure = { confirm: typed };
    await post(`${base}/erasure`, { body });
    setTyped("");
    reload();
  });
  const keep = () =>
    remove(`${base}/erasure`).then(() => {
      notify(words.kept);
      reload();
    }, notifyError);
  return (
    <section class="card stack" aria-label={words.eraseTitle}>
      <h3>{words.eraseTitle}</h3>
      {open !== undefined ? (
        <>
          <p role="status">
            {open.state === "running"
              ? name === undefined
                ? words.erasureRuns
                : words.erasureRunsOf(name)
              : name === undefined
                ? words.erasureDue(moment(open.due_at))
                : words.erasureDueOf(name, moment(open.due_at))}
          </p>
          {open.state === "waiting" && (
            <div>
              <Button kind="primary" onClick={keep}>
                {words.keepAccount}
              </Button>
            </div>
          )}
        </>
      ) : (
        <form class="stack" onSubmit={form.submit}>
          <p>
            {name === undefined ? words.eraseText : words.eraseTextOf(name)} {words.graceText(known.grace_days)}
          </p>
          {form.note}
          <FormField label={words.typeToConfirm(known.confirm_with)} error={form.errorOf("confirm")}>
            {(attributes) => (
              <input
                {...attributes}
                autocomplete="off"
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </FormField>
          <div>
            <Button
              type="submit"
              kind="danger"
              disabled={form.isSending || typed.trim().toLowerCase() !== known.confirm_with.toLowerCase()}
            >
              {words.erase}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
