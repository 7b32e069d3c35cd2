// Export of everything that is stored about the caller, and erasure of the account.

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

export function YourData() {
  const data = useData("own data", (signal) => get<PersonDataAnswer>("/api/me/data", { signal }), {
    every: REFRESH_MS,
  });
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  const { requests } = data.value;
  return (
    <div class="stack">
      <Exports exports={requests.filter((one) => one.kind === "export")} reload={data.reload} />
      <Erasure
        known={data.value}
        open={requests.find((one) => one.kind === "erasure" && OPEN.includes(one.state))}
        reload={data.reload}
      />
    </div>
  );
}

function Exports({ exports, reload }: { exports: PersonRequestAnswer[]; reload: () => void }) {
  const words = useUsageWords();
  const [withFiles, setWithFiles] = useState(false);
  const start = () => {
    const body: NewExport = { with_files: withFiles };
    post("/api/me/exports", { body }).then(reload, notifyError);
  };
  return (
    <section class="card stack" aria-label={words.exportTitle}>
      <h3>{words.exportTitle}</h3>
      <p>{words.exportText}</p>
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
                <Button onClick={() => download(one.request_id)}>{words.download}</Button>
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
function download(requestId: string): void {
  get<FileAddressAnswer>(`/api/me/exports/${requestId}/address`).then((found) => {
    location.assign(found.url);
  }, notifyError);
}

function Erasure(props: { known: PersonDataAnswer; open: PersonRequestAnswer | undefined; reload: () => void }) {
  const words = useUsageWords();
  const { known, open, reload } = props;
  const [typed, setTyped] = useState("");
  const form = useForm(["confirm"], async () => {
    const body: NewErasure = { confirm: typed };
    await post("/api/me/erasure", { body });
    setTyped("");
    reload();
  });
  const keep = () =>
    remove("/api/me/erasure").then(() => {
      notify(words.kept);
      reload();
    }, notifyError);
  return (
    <section class="card stack" aria-label={words.eraseTitle}>
      <h3>{words.eraseTitle}</h3>
      {open !== undefined ? (
        <>
          <p role="status">{open.state === "running" ? words.erasureRuns : words.erasureDue(moment(open.due_at))}</p>
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
            {words.eraseText} {words.graceText(known.grace_days)}
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
