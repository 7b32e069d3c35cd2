// Languages that text on screen can be read in: installed ones, and adding one by name.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { InstalledLanguageAnswer, LanguageAdditionAnswer, LanguagesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { bytes } from "../../core/format";
import { languageName } from "../../core/language_name";
import { Badge, Button, ErrorNote, Field, Loading, Progress } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { useLanguageDialogWords } from "./language_words";

const RELOAD_MS = 500;
const ENGINES_WITH_THESE_LANGUAGES = ["combined", "tesseract"];

export function LanguagesPanel({ changed }: { changed: () => void }) {
  const words = useLanguageDialogWords();
  const [adding, setAdding] = useState<string | null>(null);
  const [removing, setRemoving] = useState<InstalledLanguageAnswer | null>(null);
  const data = useData(
    "languages",
    async (signal) => {
      const answer = await get<LanguagesAnswer>("/api/languages", { signal });
      const isAdded = adding !== null && answer.installed.some((item) => item.code === adding);
      const hasFailed = answer.additions.some((item) => item.code === adding && item.error !== null);
      if (isAdded) {
        notify(words.isAdded(adding));
        changed();
      }
      if (isAdded || hasFailed) setAdding(null);
      return answer;
    },
    { every: adding === null ? null : RELOAD_MS },
  );
  const add = (language: string) =>
    post<LanguageAdditionAnswer>("/api/languages", { body: { language } }).then(({ code }) => {
      setAdding(code);
      data.reload();
    }, notifyError);
  const found = data.value;
  return (
    <>
      <div class="stack">
        <p class="soft">{words.intro}</p>
        {data.error && <ErrorNote error={data.error} retry={data.reload} />}
        {found === undefined && data.isLoading && <Loading />}
        {found !== undefined && (
          <>
            {!ENGINES_WITH_THESE_LANGUAGES.includes(found.engine) && (
              <p class="note">{words.otherEngine(found.engine)}</p>
            )}
            {found.missing.length > 0 && (
              <p class="note bad" role="alert">
                {words.missing(found.missing.join(", "))}
              </p>
            )}
            <ul class="card-list" aria-label={words.installed}>
              {found.installed.map((language) => (
                <Installed
                  key={language.code}
                  language={language}
                  confirmRemove={
                    language.source === "added" && found.cannot_change === null ? () => setRemoving(language) : null
                  }
                />
              ))}
            </ul>
            {found.additions.map((addition) => (
              <Addition key={addition.code} addition={addition} retry={() => add(addition.code)} />
            ))}
            {found.cannot_change === null ? (
              <NewLanguage languages={found} isAdding={adding !== null} add={add} />
            ) : (
              <p class="soft">{words[found.cannot_change]}</p>
            )}
            <p class="soft">{words.use}</p>
          </>
        )}
      </div>
      {removing !== null && (
        <Confirm
          title={words.remove(languageName(removing.code, removing.name ?? removing.code))}
          text={words.removeText}
          action={words.removeAction}
          close={() => setRemoving(null)}
          run={() => {
            remove(`/api/languages/${removing.code}`).then(() => {
              notify(words.removed(removing.code));
              data.reload();
              changed();
            }, notifyError);
          }}
        />
      )}
    </>
  );
}

function Installed({
  language,
  confirmRemove,
}: {
  language: InstalledLanguageAnswer;
  confirmRemove: (() => void) | null;
}) {
  const words = useLanguageDialogWords();
  return (
    <li class="card">
      <div>
        <span class="line">
          <strong>{languageName(language.code, language.name ?? language.code)}</strong>
          <code>{language.code}</code>
          {language.is_used && <Badge tone="good">{words.used}</Badge>}
        </span>
        <span class="soft">
          {words[language.source]} · {bytes(language.size_bytes)}
        </span>
      </div>
      {confirmRemove !== null && (
        <Button icon="trash" kind="quiet" iconOnly onClick={confirmRemove}>
          {words.remove(languageName(language.code, language.name ?? language.code))}
        </Button>
      )}
    </li>
  );
}

function Addition({ addition, retry }: { addition: LanguageAdditionAnswer; retry: () => void }) {
  const words = useLanguageDialogWords();
  if (addition.error !== null) {
    return (
      <div class="note bad" role="alert">
        <span>
          {words.failed(addition.code)}: {addition.error}
        </span>
        <Button onClick={retry}>{words.retry}</Button>
      </div>
    );
  }
  return <Progress share={addition.done_bytes / addition.total_bytes} label={words.adding(addition.code)} />;
}

interface NewLanguageProps {
  languages: LanguagesAnswer;
  isAdding: boolean;
  add: (language: string) => void;
}

function NewLanguage({ languages, isAdding, add }: NewLanguageProps) {
  const words = useLanguageDialogWords();
  const [chosen, setChosen] = useState("");
  const language = languages.available.find((item) => item.code === chosen);
  return (
    <div class="stack">
      <Field
        label={words.add}
        hint={language === undefined ? words.addHint : words.download(bytes(language.download_bytes))}
      >
        <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          <option value="">{words.choose}</option>
          {languages.available.map((item) => (
            <option key={item.code} value={item.code}>
              {languageName(item.code, item.name)} ({item.code})
            </option>
          ))}
        </select>
      </Field>
      <Button kind="primary" disabled={language === undefined || isAdding} onClick={() => add(chosen)}>
        {words.addAction}
      </Button>
    </div>
  );
}
