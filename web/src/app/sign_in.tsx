// The sign-in dialog, shown when the server requires a token.

import { useState } from "preact/hooks";
import { isSignInRequired, signIn } from "../core/session";
import { useStore } from "../core/store";
import { Button, Field } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { useAppWords } from "./words";

export function SignIn() {
  const words = useAppWords();
  const isRequired = useStore(isSignInRequired);
  const [token, setToken] = useState("");
  if (!isRequired) return null;
  return (
    <Dialog title={words.signIn} close={() => isSignInRequired.set(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") signIn(token);
        }}
      >
        <p>{words.signInText}</p>
        <Field label={words.token}>
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </Field>
        <Button type="submit" kind="primary">
          {words.signIn}
        </Button>
      </form>
    </Dialog>
  );
}
