// The line below a list without anything of clients: what to do next.

import { Button } from "../../ui/basics";
import { useBusWords } from "./words";

export function NextStep({ text, connect }: { text: string; connect: () => void }) {
  const words = useBusWords();
  return (
    <p class="line next-step">
      <span class="soft">{text}</span>
      <Button icon="link" onClick={connect}>
        {words.connectSdk}
      </Button>
    </p>
  );
}
