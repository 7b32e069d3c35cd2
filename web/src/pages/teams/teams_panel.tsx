// Teams in the settings: those of the person, a form for a new one, and an invitation that was opened.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { WholeTeamAnswer } from "../../api/types";
import { Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { takeInvitation } from "./invitation_token";
import { Join } from "./join";
import { TeamDialog } from "./team_dialog";
import { useTeams } from "./use_teams";
import { useTeamWords } from "./words";

export function TeamsPanel() {
  const words = useTeamWords();
  const data = useTeams();
  const [token, setToken] = useState(takeInvitation);
  const [opened, setOpened] = useState<string | null>(null);
  const found = data.value;
  if (found === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  if (!found.needs_sign_in) return <p class="card soft">{words.noSignIn}</p>;
  const joined = () => {
    setToken(null);
    data.reload();
  };
  return (
    <div class="stack">
      {token !== null && <Join token={token} done={joined} />}
      <p class="soft">{words.intro}</p>
      {found.teams.length === 0 ? (
        <Empty title={words.none} icon="people">
          <p>{words.noneText}</p>
        </Empty>
      ) : (
        <ul class="card-list" aria-label={words.list}>
          {found.teams.map((team) => (
            <li key={team.team_id} class="card">
              <div>
                <span class="line">
                  <strong>{team.name}</strong>
                  <Badge tone={team.role === "owner" ? "busy" : "neutral"}>
                    {team.role === null ? words.operator : words[team.role]}
                  </Badge>
                </span>
                <span class="soft">{words.members(team.members)}</span>
              </div>
              <Button icon="people" aria-label={words.manage(team.name)} onClick={() => setOpened(team.team_id)}>
                {words.manageAction}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewTeam
        made={(team) => {
          data.reload();
          setOpened(team.team_id);
        }}
      />
      {opened !== null && <TeamDialog teamId={opened} close={() => setOpened(null)} changed={data.reload} />}
    </div>
  );
}

function NewTeam({ made }: { made: (team: WholeTeamAnswer) => void }) {
  const words = useTeamWords();
  const [name, setName] = useState("");
  const form = useForm(["name"], async () => {
    const team = await post<WholeTeamAnswer>("/api/teams", { body: { name: name.trim() } });
    notify(words.created(team.name));
    setName("");
    made(team);
  });
  return (
    <form class="stack" onSubmit={form.submit} aria-label={words.newTeam}>
      <h3>{words.newTeam}</h3>
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
        <Button type="submit" kind="primary" disabled={form.isSending || name.trim() === ""}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}
