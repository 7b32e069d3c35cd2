// Asks for a token when the platform wants one.

import { useState } from "preact/hooks";
import { Button, Field } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { signIn, signInWanted } from "./session";
import { useStore } from "./store";
import { useAppWords } from "./words";

export function SignIn() {
  const words = useAppWords();
  const isWanted = useStore(signInWanted);
  const [token, setToken] = useState("");
  if (!isWanted) return null;
  return (
    <Dialog title={words.signIn} close={() => signInWanted.set(false)}>
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
