// Commands that are always there: pages, settings and actions.

import { signOut } from "../api/session";
import { useMe } from "../api/use_me";
import { addressOf } from "../core/addresses";
import { chooseLanguage, LANGUAGES, type Language } from "../core/language";
import { navigate } from "../core/router";
import { readCsrfToken } from "../core/session";
import { chooseTheme } from "../core/theme";
import type { IconName } from "../ui/icons";
import { notifyError } from "../ui/toasts";
import { ACCEPTED } from "../upload/accepted_files";
import { addUpload } from "../upload/uploads";
import type { Command } from "./commands";
import { usePaletteWords } from "./palette_words";
import { ROUTES } from "./routes";
import { useAppWords } from "./words";

const SETTINGS_OF_ALL = ["appearance", "notifications", "keys"] as const;
const SETTINGS_OF_OPERATORS = ["channels", "retention", "reading", "models", "people"] as const;

export function usePageCommands(showKeys: () => void): Command[] {
  const words = usePaletteWords();
  const appWords = useAppWords();
  const isOperator = useMe().value?.is_operator ?? false;
  const action = (id: string, text: string, icon: IconName, run: () => void): Command => ({
    id: `action ${id}`,
    text,
    about: words.action,
    icon,
    run,
  });
  const pages = ROUTES.filter((route) => isOperator || route.place !== "operate").map(
    (route): Command => ({
      id: `page ${route.name}`,
      text: appWords[route.name],
      about: words.page,
      icon: route.icon,
      run: () => navigate(addressOf(route.name)),
    }),
  );
  if (isOperator) {
    const to = (id: string, text: string, address: string): Command => ({
      id: `page ${id}`,
      text,
      about: words.page,
      icon: "operate",
      run: () => navigate(address),
    });
    pages.push(
      to("queues", appWords.queues, `${addressOf("jobs")}/queues`),
      to("emails", words.emails, `${addressOf("messages")}/mails`),
      to("failed", words.failedJobs, `${addressOf("jobs")}?state=failed`),
    );
  }
  const settings = [...SETTINGS_OF_ALL, ...(isOperator ? SETTINGS_OF_OPERATORS : [])].map(
    (part): Command => ({
      id: `settings ${part}`,
      text: words[part],
      about: appWords.settings,
      icon: "settings",
      run: () => navigate(`${addressOf("settings")}/${part}`),
    }),
  );
  const languages = Object.entries(LANGUAGES).map(([value, name]) =>
    action(`language ${value}`, words.language(name), "captions", () => {
      chooseLanguage(value as Language).catch(notifyError);
    }),
  );
  return [
    ...pages,
    action("upload", words.upload, "upload", chooseFiles),
    action("camera", words.addCamera, "camera", () => navigate(`${addressOf("cameras")}?add`)),
    action("saved", words.savedSearches, "search", () => navigate(`${addressOf("search")}?view=saved`)),
    action("light", words.light, "sun", () => chooseTheme("light")),
    action("dark", words.dark, "moon", () => chooseTheme("dark")),
    action("system", words.system, "sun", () => chooseTheme("system")),
    ...languages,
    action("keys", words.showKeys, "help", showKeys),
    action("api", words.api, "link", () => location.assign("/docs")),
    ...(readCsrfToken() === null
      ? []
      : [action("sign out", words.signOut, "back", () => void signOut().catch(notifyError))]),
    ...settings,
  ];
}

/** The browser opens the picker only for a click or a key, which the command was chosen by. */
function chooseFiles(): void {
  const picker = document.createElement("input");
  picker.type = "file";
  picker.multiple = true;
  picker.accept = ACCEPTED;
  picker.addEventListener("change", () => {
    for (const file of picker.files ?? []) addUpload(file);
    navigate(addressOf("videos"));
  });
  picker.click();
}
