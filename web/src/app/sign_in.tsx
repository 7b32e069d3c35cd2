// The sign-in dialog, shown when the server requires a token.

import { useState } from "preact/hooks";
import { signIn } from "../api/session";
import { isSignInRequired } from "../core/session";
import { useStore } from "../core/store";
import { Button } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { FormField, useForm } from "../ui/form";
import { useAppWords } from "./words";

export function SignIn() {
  const words = useAppWords();
  const isRequired = useStore(isSignInRequired);
  const [token, setToken] = useState("");
  const form = useForm([], () => signIn(token));
  if (!isRequired) return null;
  return (
    <Dialog title={words.signIn} close={() => isSignInRequired.set(false)}>
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
    </Dialog>
  );
}
