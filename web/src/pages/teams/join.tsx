// The invitation that somebody opened: which team it leads to, and joining it.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { AcceptedAnswer, OpenInvitationAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Button, ErrorNote } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { forgetInvitation } from "./invitation_token";
import { useTeamWords } from "./words";

export function Join({ token, done }: { token: string; done: () => void }) {
  const words = useTeamWords();
  const [isSending, setIsSending] = useState(false);
  const shown = useData(`invitation ${token}`, (signal) =>
    post<OpenInvitationAnswer>("/api/team-invitations/show", { body: { token }, signal }),
  );
  const end = () => {
    forgetInvitation();
    done();
  };
  if (shown.error !== undefined) {
    const isOver = shown.error.status === 404 || shown.error.status === 400;
    return (
      <section class="card stack">
        <ErrorNote error={shown.error} {...(isOver ? {} : { retry: shown.reload })} />
        <div class="line">
          <Button onClick={end}>{words.decline}</Button>
        </div>
      </section>
    );
  }
  const found = shown.value;
  if (found === undefined) return null;
  const join = async () => {
    setIsSending(true);
    try {
      await post<AcceptedAnswer>("/api/team-invitations/accept", { body: { token } });
      notify(words.joined(found.team_name));
      end();
    } catch (error) {
      notifyError(error);
      setIsSending(false);
    }
  };
  return (
    <section class="card stack" aria-label={words.joinTitle(found.team_name)}>
      <h3>{words.joinTitle(found.team_name)}</h3>
      <p>{words.joinText(words[found.role])}</p>
      <div class="line">
        <Button onClick={end}>{words.decline}</Button>
        <Button kind="primary" disabled={isSending} onClick={() => void join()}>
          {words.join}
        </Button>
      </div>
    </section>
  );
}
