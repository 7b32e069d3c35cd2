// Settings: theme and language, stored in this browser; API keys, languages of text on screen, and sign-out.

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { signOut } from "../api/session";
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "../core/language";
import { readCsrfToken } from "../core/session";
import { useStore } from "../core/store";
import { chooseTheme, type Theme, theme } from "../core/theme";
import { Button, Choices, Field } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { notifyError } from "../ui/toasts";
import { useAppWords } from "./words";

export function Settings() {
  const words = useAppWords();
  const [isOpen, setIsOpen] = useState(false);
  const [Inner, setInner] = useState<ComponentType<{ close: () => void }> | null>(null);
  const chosen = useStore(theme);
  const language = useLanguage();
  // Dialogs are loaded when they are first opened: few people need them.
  const open = (loading: Promise<{ default: ComponentType<{ close: () => void }> }>) =>
    loading.then((module) => {
      setIsOpen(false);
      setInner(() => module.default);
    }, notifyError);
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
            <div class="line">
              <Button onClick={() => open(import("../pages/account/keys_dialog"))}>{words.apiKeys}</Button>
              <Button onClick={() => open(import("../pages/account/languages_dialog"))}>{words.textLanguages}</Button>
            </div>
            {readCsrfToken() !== null && <Button onClick={() => signOut().catch(notifyError)}>{words.signOut}</Button>}
          </div>
        </Dialog>
      )}
      {Inner !== null && <Inner close={() => setInner(null)} />}
    </>
  );
}
