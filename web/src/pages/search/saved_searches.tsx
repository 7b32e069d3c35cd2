// Saved searches: run, change, delete, and switch their alerts.

import { useState } from "preact/hooks";
import { get, patch, remove } from "../../api/client";
import type { SavedSearchAnswer, SavedSearchesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { Link } from "../../core/router";
import { useLive, videoStream } from "../../live/streams";
import { Ago, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { SaveSearch } from "./save_search";
import { useSearchWords } from "./words";

export const addressOfSearch = (q: string, video?: string): string =>
  `${addressOf("search")}?q=${encodeURIComponent(q)}${video === undefined ? "" : `&video=${video}`}`;

export function useSavedSearches() {
  return useData("saved-searches", (signal) => get<SavedSearchesAnswer>("/api/saved-searches", { signal }));
}

export function SavedSearches() {
  const words = useSearchWords();
  const { value, error, reload } = useSavedSearches();
  const [changed, setChanged] = useState<SavedSearchAnswer | null>(null);
  const [deleted, setDeleted] = useState<SavedSearchAnswer | null>(null);
  useLive(videoStream, {
    message: (message) => {
      if (message.type !== "search.alert") return;
      const { name, videoName, hits } = message.data as { name: string; videoName: string; hits: number };
      notify(words.newHits(name, videoName, hits));
      reload();
    },
    gap: reload,
  });
  const act = (work: Promise<unknown>) => work.then(reload, notifyError);
  if (value === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Loading />;
  return (
    <>
      {error && <ErrorNote error={error} retry={reload} />}
      {value.searches.length === 0 && (
        <Empty title={words.noSaved} icon="search">
          <p>{words.noSavedText}</p>
        </Empty>
      )}
      <ul class="saved">
        {value.searches.map((search) => (
          <li key={search.search_id}>
            <div class="what">
              <Link class="name" to={addressOfSearch(search.q)}>
                {search.name}
              </Link>
              <code>{search.q}</code>
              <Alerts search={search} />
            </div>
            <label class="line switch">
              <input
                type="checkbox"
                role="switch"
                aria-label={words.alertsOf(search.name)}
                aria-checked={search.has_alerts}
                checked={search.has_alerts}
                onChange={(event) =>
                  act(
                    patch(`/api/saved-searches/${search.search_id}`, {
                      body: { has_alerts: event.currentTarget.checked },
                    }),
                  )
                }
              />
              <span aria-hidden="true">{words.alerts}</span>
            </label>
            <span class="actions">
              <Button icon="pencil" kind="quiet" iconOnly onClick={() => setChanged(search)}>
                {words.changeOf(search.name)}
              </Button>
              <Button icon="trash" kind="quiet" iconOnly onClick={() => setDeleted(search)}>
                {words.deleteOf(search.name)}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {changed && <SaveSearch q={changed.q} saved={changed} close={() => setChanged(null)} done={reload} />}
      {deleted && (
        <Confirm
          title={words.deleteOf(deleted.name)}
          text={words.deleteText}
          action={words.deleteIt}
          run={() => act(remove(`/api/saved-searches/${deleted.search_id}`))}
          close={() => setDeleted(null)}
        />
      )}
    </>
  );
}

function Alerts({ search }: { search: SavedSearchAnswer }) {
  const words = useSearchWords();
  if (search.alerts.length === 0) return null;
  return (
    <ul class="alerts">
      {search.alerts.map((alert) => (
        <li key={alert.video_id}>
          <Link to={addressOfSearch(search.q, alert.video_id)}>
            {words.hits(alert.hits)} · {alert.video_name}
          </Link>{" "}
          <span class="soft">
            <Ago at={alert.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
