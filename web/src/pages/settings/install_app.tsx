// Installing the page as an app, where the browser offers it.

import { installPrompt } from "../../core/install_prompt";
import { useStore } from "../../core/store";
import { Button } from "../../ui/basics";
import { useSettingsWords } from "./words";

export function InstallApp() {
  const words = useSettingsWords();
  const prompt = useStore(installPrompt);
  if (prompt === null) return null;
  return (
    <section class="card line">
      <span>{words.installText}</span>
      <Button icon="phone" kind="primary" onClick={() => void prompt.prompt()}>
        {words.install}
      </Button>
    </section>
  );
}
