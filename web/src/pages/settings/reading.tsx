// Languages that text on screen is read in, and whether speech is written down.

import { useState } from "preact/hooks";
import { LanguagesPanel } from "../account/languages_panel";
import { SettingsForm } from "./settings_form";
import { useSettingsWords } from "./words";

export function Reading() {
  const words = useSettingsWords();
  const [changes, setChanges] = useState(0);
  return (
    <div class="stack">
      <SettingsForm groups={["reading"]} intro={words.readingText} changed={() => setChanges((n) => n + 1)} />
      <section class="card">
        <h3>{words.installedLanguages}</h3>
        <LanguagesPanel key={changes} changed={() => {}} />
      </section>
    </div>
  );
}
