// Who has signed in, with role and teams. Both come with the token of the identity provider.

import { get } from "../../api/client";
import type { PeopleAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Ago, Badge, ErrorNote, Loading } from "../../ui/basics";
import { useSettingsWords } from "./words";

export function People() {
  const words = useSettingsWords();
  const data = useData("people", (signal) => get<PeopleAnswer>("/api/people", { query: { limit: 200 }, signal }));
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
  return (
    <div class="stack">
      <p class="soft">{words.rolesBy(found.role_claim, found.operator_role, found.team_claim)}</p>
      <ul class="card-list" aria-label={words.people}>
        {found.people.map((person) => (
          <li key={person.user_id} class="card">
            <div>
              <span class="line">
                <strong>{person.name ?? person.user_id}</strong>
                <Badge tone={person.is_operator ? "busy" : "neutral"}>
                  {person.is_operator ? words.operator : words.user}
                </Badge>
              </span>
              <span class="soft">
                {words.teams(person.team_ids.length)} · {words.seen} <Ago at={person.seen_at} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
