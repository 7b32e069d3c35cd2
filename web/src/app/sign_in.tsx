// The sign-in dialog, shown when the server requires a session: with the identity provider, or with an access token.

import { useState } from "preact/hooks";
import { signIn, signInAddress, useSignInOptions } from "../api/session";
import { isSignInRequired, type SignInProblem, signInProblem } from "../core/session";
import { useStore } from "../core/store";
import { Button, ErrorNote } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { FormField, useForm } from "../ui/form";
import { useAppWords } from "./words";

export function SignIn() {
  const words = useAppWords();
  const isRequired = useStore(isSignInRequired);
  if (!isRequired) return null;
  return (
    <Dialog title={words.signIn} close={() => isSignInRequired.set(false)}>
      <Ways />
    </Dialog>
  );
}

function Ways() {
  const words = useAppWords();
  const options = useSignInOptions();
  const problem = useStore(signInProblem);
  const provider = options.value?.oidc ?? null;
  const problemText = (name: SignInProblem): string =>
    ({
      cancelled: words.signInCancelled,
      expired: words.signInExpired,
      unavailable: words.signInUnavailable,
      refused: words.signInRefused,
    })[name];
  return (
    <div class="stack">
      {problem !== null && <p role="alert">{problemText(problem)}</p>}
      {options.error !== undefined && <ErrorNote error={options.error} retry={options.reload} />}
      {provider !== null && (
        <>
          <p>{words.signInWithText(provider.name)}</p>
          <a class="button primary" href={signInAddress()}>
            {words.signInWith(provider.name)}
          </a>
        </>
      )}
      {options.value?.accepts_tokens === true &&
        (provider === null ? (
          <WithToken />
        ) : (
          <details>
            <summary>{words.signInWithToken}</summary>
            <WithToken />
          </details>
        ))}
    </div>
  );
}

function WithToken() {
  const words = useAppWords();
  const [token, setToken] = useState("");
  const form = useForm([], () => signIn(token));
  return (
    <form class="stack" onSubmit={form.submit}>
      <p>{words.signInText}</p>
      {form.note}
      <FormField label={words.token}>
        {(attributes) => (
          <input
            {...attributes}
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        )}
      </FormField>
      <Button type="submit" kind="primary" disabled={form.isSending}>
        {words.signIn}
      </Button>
    </form>
  );
}
