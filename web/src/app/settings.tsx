// How the page looks and speaks, for this browser.

import { useState } from "preact/hooks";
import { Button, Choices, Field } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { LANGUAGES, type Language, chooseLanguage, useLanguage } from "./language";
import { readToken, signOut } from "./session";
import { useStore } from "./store";
import { type Theme, chooseTheme, theme } from "./theme";
import { useAppWords } from "./words";

export function Settings() {
  const words = useAppWords();
  const [isOpen, setIsOpen] = useState(false);
  const chosen = useStore(theme);
  const language = useLanguage();
  return (
    <>
      <Button icon={chosen === "dark" ? "moon" : "sun"} kind="quiet" iconOnly onClick={() => setIsOpen(true)}>
        {words.settings}
      </Button>
      {isOpen && (
        <Dialog title={words.settings} close={() => setIsOpen(false)}>
          <div class="stack">
            <p class="label">{words.theme}</p>
            <Choices<Theme>
              label={words.theme}
              value={chosen}
              options={(["system", "light", "dark"] as const).map((value) => ({ value, label: words[value] }))}
              choose={chooseTheme}
            />
            <Field label={words.language}>
              <select value={language} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
                {Object.entries(LANGUAGES).map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            <p>
              <a href="/docs">{words.api}</a>
            </p>
            {readToken() !== null && <Button onClick={signOut}>{words.signOut}</Button>}
          </div>
        </Dialog>
      )}
    </>
  );
}
