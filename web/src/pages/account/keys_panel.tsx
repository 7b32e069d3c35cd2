// API keys: list, create with the key shown once, revoke; in the settings or as a dialog.

import { useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { ApiKeyAnswer, ApiKeysAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Ago, Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm, Dialog } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { NewKey } from "./new_key";
import { useAccountWords } from "./words";

interface Props {
  /** Scopes that are selected for a new key. */
  scopes?: string[];
}

export default function KeysDialog({ close, ...props }: Props & { close: () => void }) {
  const words = useAccountWords();
  return (
    <Dialog title={words.title} close={close}>
      <KeysPanel {...props} />
    </Dialog>
  );
}

export function KeysPanel({ scopes = [] }: Props) {
  const words = useAccountWords();
  const data = useData("keys", (signal) => get<ApiKeysAnswer>("/api/keys", { query: { limit: 200 }, signal }));
  const [revoking, setRevoking] = useState<ApiKeyAnswer | null>(null);
  const keys = data.value?.keys;
  return (
    <>
      <div class="stack">
        <p class="soft">{words.intro}</p>
        {data.error && <ErrorNote error={data.error} retry={data.reload} />}
        {keys === undefined && data.isLoading && <Loading />}
        {keys?.length === 0 && (
          <Empty title={words.none} icon="alarm">
            <p>{words.noneText}</p>
          </Empty>
        )}
        {keys !== undefined && keys.length > 0 && (
          <ul class="card-list" aria-label={words.list}>
            {keys.map((key) => (
              <KeyRow key={key.key_id} apiKey={key} confirmRevoke={() => setRevoking(key)} />
            ))}
          </ul>
        )}
        {data.value !== undefined && <NewKey scopes={data.value.scopes} preselected={scopes} created={data.reload} />}
      </div>
      {revoking !== null && (
        <Confirm
          title={words.revoke(revoking.name)}
          text={words.revokeText}
          action={words.revokeAction}
          close={() => setRevoking(null)}
          run={() => {
            remove(`/api/keys/${revoking.key_id}`).then(() => {
              notify(words.revoked);
              data.reload();
            }, notifyError);
          }}
        />
      )}
    </>
  );
}

function KeyRow({ apiKey, confirmRevoke }: { apiKey: ApiKeyAnswer; confirmRevoke: () => void }) {
  const words = useAccountWords();
  return (
    <li class="card">
      <div>
        <span class="line">
          <strong>{apiKey.name}</strong>
          {!apiKey.is_active && <Badge tone="warn">{words.expired}</Badge>}
        </span>
        <span class="soft">
          <code>{apiKey.key_id}</code> · {apiKey.scopes.join(", ")}
        </span>
        <span class="soft">
          {apiKey.last_used_at === null ? (
            words.notUsed
          ) : (
            <>
              {words.lastUsed}: <Ago at={apiKey.last_used_at} />
            </>
          )}
          {apiKey.expires_at !== null && (
            <>
              {" · "}
              {words.expiresAt}: <Ago at={apiKey.expires_at} />
            </>
          )}
        </span>
      </div>
      <Button icon="trash" kind="quiet" iconOnly onClick={confirmRevoke}>
        {words.revoke(apiKey.name)}
      </Button>
    </li>
  );
}
