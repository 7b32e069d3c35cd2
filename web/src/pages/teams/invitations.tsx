// Invitations to a team: a new link, shown once, and those that can still be accepted.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { InvitationBody, InvitationsAnswer, NewInvitationAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Ago, Button, ErrorNote } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { FormField, useForm } from "../../ui/form";
import { notify, notifyError } from "../../ui/toasts";
import { useTeamWords } from "./words";

const DAYS = [1, 7, 30];
const USES = [1, 5, 20, 100];
const ROLES = ["viewer", "editor"] as const;

export function Invitations({ teamId }: { teamId: string }) {
  const words = useTeamWords();
  const path = `/api/teams/${teamId}/invitations`;
  const data = useData(`invitations ${teamId}`, (signal) => get<InvitationsAnswer>(path, { signal }));
  const [made, setMade] = useState<NewInvitationAnswer | null>(null);
  const revoke = (id: string) =>
    remove(`${path}/${id}`)
      .then(() => notify(words.revoked), notifyError)
      .finally(data.reload);
  const open = data.value?.invitations ?? [];
  return (
    <section class="stack">
      <h3>{words.invite}</h3>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {made === null ? (
        <NewInvitation
          path={path}
          made={(invitation) => {
            setMade(invitation);
            data.reload();
          }}
        />
      ) : (
        <ShownOnce url={made.url} done={() => setMade(null)} />
      )}
      {open.length > 0 && (
        <ul class="card-list" aria-label={words.open}>
          {open.map((item) => (
            <li key={item.invitation_id} class="card">
              <div>
                <strong>{words[item.role]}</strong>
                <span class="soft">
                  {words.used(item.uses, item.max_uses)} · {words.until} <Ago at={item.expires_at} />
                </span>
              </div>
              <Button icon="cross" kind="quiet" iconOnly onClick={() => void revoke(item.invitation_id)}>
                {words.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NewInvitation({ path, made }: { path: string; made: (invitation: NewInvitationAnswer) => void }) {
  const words = useTeamWords();
  const [role, setRole] = useState<(typeof ROLES)[number]>("viewer");
  const [days, setDays] = useState(7);
  const [uses, setUses] = useState(1);
  const form = useForm([], async () => {
    const body: InvitationBody = { role, expires_in_hours: days * 24, max_uses: uses };
    made(await post<NewInvitationAnswer>(path, { body }));
  });
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="soft">{words.inviteText}</p>
      {form.note}
      <FormField label={words.role}>
        {(attributes) => (
          <select
            {...attributes}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as (typeof ROLES)[number])}
          >
            {ROLES.map((item) => (
              <option key={item} value={item}>
                {words[item]}: {words[`${item}Text`]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField label={words.valid}>
        {(attributes) => (
          <select {...attributes} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {words.days(count)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField label={words.uses}>
        {(attributes) => (
          <select {...attributes} value={uses} onChange={(event) => setUses(Number(event.currentTarget.value))}>
            {USES.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <div class="actions">
        <Button type="submit" kind="primary" icon="link" disabled={form.isSending}>
          {words.makeLink}
        </Button>
      </div>
    </form>
  );
}

function ShownOnce({ url, done }: { url: string; done: () => void }) {
  const words = useTeamWords();
  return (
    <div class="stack">
      <FormField label={words.link} hint={words.linkOnce}>
        {(attributes) => (
          <input {...attributes} readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
        )}
      </FormField>
      <div class="actions">
        <Button icon="copy" onClick={() => void copyText(url, words.copied)}>
          {words.copy}
        </Button>
        <Button kind="primary" onClick={done}>
          {words.done}
        </Button>
      </div>
    </div>
  );
}
