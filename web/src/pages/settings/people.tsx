// Who has signed in, with role and teams, and the data of each. Where the identity provider says nothing else, operators make operators here.

import { useState } from "preact/hooks";
import { get, put, remove } from "../../api/client";
import type { PeopleAnswer, PersonAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Ago, Badge, Button, ErrorNote, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { useTeamWords } from "../teams/words";
import { useUsageWords } from "./usage_words";
import { useSettingsWords } from "./words";
import { PersonData } from "./your_data";

export function People() {
  const words = useSettingsWords();
  const ofData = useUsageWords();
  const [shown, setShown] = useState<PersonAnswer | null>(null);
  const data = useData("people", (signal) => get<PeopleAnswer>("/api/people", { query: { limit: 200 }, signal }));
  const teamWords = useTeamWords();
  const found = data.value;
  if (found === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  if (!found.needs_sign_in) {
    return (
      <section class="card stack">
        <p>{words.oneOwner}</p>
        <p class="soft">
          {words.signInBy} <code>SIGHTLINE_AUTH_JWT_SECRET</code>, <code>SIGHTLINE_AUTH_JWKS_URL</code>
        </p>
      </section>
    );
  }
  const setOperator = async (person: PersonAnswer) => {
    const path = `/api/people/${person.user_id}/operator`;
    const name = nameOf(person);
    try {
      await (person.is_operator ? remove(path) : put(path));
      notify(person.is_operator ? teamWords.tookOperator(name) : teamWords.madeOperator(name));
    } catch (error) {
      notifyError(error);
    }
    data.reload();
  };
  return (
    <div class="stack">
      <p class="soft">{words.rolesBy(found.role_claim, found.operator_role, found.team_claim)}</p>
      <ul class="card-list" aria-label={words.people}>
        {found.people.map((person) => (
          <li key={person.user_id} class="card">
            <div>
              <span class="line">
                <strong>{nameOf(person)}</strong>
                <Badge tone={person.is_operator ? "busy" : "neutral"}>
                  {person.is_operator ? words.operator : words.user}
                </Badge>
              </span>
              <span class="soft">
                {words.teamCount(person.team_ids.length)} · {words.seen} <Ago at={person.seen_at} />
              </span>
            </div>
            <span class="line">
              {person.is_pinned ? (
                <span class="soft">{teamWords.pinned}</span>
              ) : (
                <Button onClick={() => void setOperator(person)}>
                  {person.is_operator ? teamWords.takeOperator : teamWords.makeOperator}
                </Button>
              )}
              <Button onClick={() => setShown(person)} aria-label={`${ofData.personData}: ${nameOf(person)}`}>
                {ofData.personData}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {shown !== null && (
        <Dialog title={ofData.dataOf(nameOf(shown))} close={() => setShown(null)}>
          <PersonData base={`/api/people/${shown.user_id}`} name={nameOf(shown)} />
        </Dialog>
      )}
    </div>
  );
}

const nameOf = (person: PersonAnswer): string => person.name ?? person.user_id;
