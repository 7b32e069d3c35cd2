// Theme and language of the page, kept in this browser; the way out.

import { signOut } from "../../api/session";
import { useMe } from "../../api/use_me";
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "../../core/language";
import { readCsrfToken } from "../../core/session";
import { useStore } from "../../core/store";
import { chooseTheme, type Theme, theme } from "../../core/theme";
import { Button, Choices, Field } from "../../ui/basics";
import { localTimeZone } from "../../ui/time_zone_input";
import { notifyError } from "../../ui/toasts";
import { InstallApp } from "./install_app";
import { useSettingsWords } from "./words";

const THEMES = ["system", "light", "dark"] as const;

export function Appearance() {
  const words = useSettingsWords();
  const chosen = useStore(theme);
  const language = useLanguage();
  const me = useMe().value;
  return (
    <div class="stack">
      <section class="card stack">
        <div>
          <p class="label">{words.theme}</p>
          <Choices<Theme>
            label={words.theme}
            value={chosen}
            options={THEMES.map((value) => ({ value, label: words[value] }))}
            choose={chooseTheme}
          />
        </div>
        <Field label={words.language} hint={words.languageHint}>
          <select
            value={language}
            onChange={(event) => chooseLanguage(event.currentTarget.value as Language).catch(notifyError)}
          >
            {Object.entries(LANGUAGES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <p>
          {words.clock(localTimeZone())} <span class="soft">{words.clockText}</span>
        </p>
      </section>
      <InstallApp />
      <section class="card line">
        {me !== undefined && <span>{me.needs_sign_in ? words.signedIn(me.email ?? me.user_id) : words.noSignIn}</span>}
        {readCsrfToken() !== null && <Button onClick={() => signOut().catch(notifyError)}>{words.signOut}</Button>}
        <a class="button" href="/docs">
          {words.api}
        </a>
      </section>
    </div>
  );
}
