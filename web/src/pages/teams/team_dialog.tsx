// One team: its members with their roles, invitations, and leaving or deleting it.

import { useState } from "preact/hooks";
import { get, patch, remove } from "../../api/client";
import type { MemberAnswer, RoleBody, WholeTeamAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { Badge, Button, ErrorNote, Loading } from "../../ui/basics";
import { Confirm, Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { notify, notifyError } from "../../ui/toasts";
import { Invitations } from "./invitations";
import { useTeamWords } from "./words";

const ROLES = ["owner", "editor", "viewer"] as const;
type Asked = { what: "leave" } | { what: "delete" } | { what: "remove"; member: MemberAnswer };

interface Props {
  teamId: string;
  close: () => void;
  /** Reloads the list of teams. */
  changed: () => void;
}

export function TeamDialog({ teamId, close, changed }: Props) {
  const words = useTeamWords();
  const me = useMe().value;
  const [asked, setAsked] = useState<Asked | null>(null);
  const path = `/api/teams/${teamId}`;
  const data = useData(`team ${teamId}`, (signal) => get<WholeTeamAnswer>(path, { signal }));
  const team = data.value;
  if (team === undefined || me === undefined) {
    return (
      <Dialog title={words.team} close={close}>
        {data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />}
      </Dialog>
    );
  }
  const mayManage = team.role === "owner" || me.is_operator;
  const refresh = () => {
    data.reload();
    changed();
  };
  const gone = (text: string) => {
    notify(text);
    close();
    changed();
  };
  const setRole = (member: MemberAnswer, role: RoleBody["role"]) =>
    patch(`${path}/members/${member.user_id}`, { body: { role } })
      .then(() => notify(words.roleChanged(nameOf(member))), notifyError)
      .finally(refresh);
  const end = (member: string) => remove(`${path}/members/${member}`);
  return (
    <Dialog title={team.name} close={close} class="wide">
      <div class="stack">
        {data.error && <ErrorNote error={data.error} retry={data.reload} />}
        <section class="stack">
          <h3>{words.people}</h3>
          <ul class="card-list">
            {team.people.map((member) => (
              <li key={member.user_id} class="card">
                <div>
                  <span class="line">
                    <strong>{nameOf(member)}</strong>
                    {member.user_id === me.user_id && <span class="soft">{words.you}</span>}
                  </span>
                </div>
                {mayManage ? (
                  <select
                    aria-label={words.roleOf(nameOf(member))}
                    value={member.role}
                    onChange={(event) => void setRole(member, event.currentTarget.value as RoleBody["role"])}
                  >
                    {ROLES.map((role) => (
                      <option key={role} value={role}>
                        {words[role]}
                      </option>
                    ))}
                  </select>
                ) : (
                  <Badge tone="neutral">{words[member.role]}</Badge>
                )}
                {mayManage && member.user_id !== me.user_id && (
                  <Button icon="cross" kind="quiet" iconOnly onClick={() => setAsked({ what: "remove", member })}>
                    {words.remove(nameOf(member))}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
        {mayManage && <Invitations teamId={teamId} />}
        {mayManage && <Rename team={team} renamed={refresh} />}
        <div class="actions">
          {team.role !== null && <Button onClick={() => setAsked({ what: "leave" })}>{words.leave}</Button>}
          {mayManage && (
            <Button kind="danger" icon="trash" onClick={() => setAsked({ what: "delete" })}>
              {words.delete}
            </Button>
          )}
        </div>
      </div>
      {asked?.what === "remove" && (
        <Confirm
          title={words.remove(nameOf(asked.member))}
          text={words.removeText}
          action={words.removeAction}
          close={() => setAsked(null)}
          run={() =>
            void end(asked.member.user_id)
              .then(() => notify(words.removed), notifyError)
              .finally(refresh)
          }
        />
      )}
      {asked?.what === "leave" && (
        <Confirm
          title={words.leaveAsk(team.name)}
          text={words.leaveText}
          action={words.leave}
          close={() => setAsked(null)}
          run={() => void end(me.user_id).then(() => gone(words.left), notifyError)}
        />
      )}
      {asked?.what === "delete" && (
        <Confirm
          title={words.deleteAsk(team.name)}
          text={words.deleteText}
          action={words.delete}
          close={() => setAsked(null)}
          run={() => void remove(path).then(() => gone(words.deleted), notifyError)}
        />
      )}
    </Dialog>
  );
}

const nameOf = (member: MemberAnswer): string => member.name ?? member.user_id;

function Rename({ team, renamed }: { team: WholeTeamAnswer; renamed: () => void }) {
  const words = useTeamWords();
  const [name, setName] = useState(team.name);
  const form = useForm(["name"], async () => {
    await patch(`/api/teams/${team.team_id}`, { body: { name: name.trim() } });
    notify(words.renamed);
    renamed();
  });
  return (
    <form class="stack" onSubmit={form.submit}>
      {form.note}
      <FormField label={words.name} error={form.errorOf("name")}>
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
      <div class="actions">
        <Button type="submit" disabled={form.isSending || name.trim() === "" || name.trim() === team.name}>
          {words.rename}
        </Button>
      </div>
    </form>
  );
}
