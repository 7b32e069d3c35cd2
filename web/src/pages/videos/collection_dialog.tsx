// Dialogs of collections: a name for a new or an existing one, and the choice of one for some videos.

import { useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { CollectionAnswer, CollectionsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { Icon } from "../../ui/icons";
import { notify, notifyError } from "../../ui/toasts";
import { useUiWords } from "../../ui/words";
import { useLibraryWords } from "./library_words";

const MAX_NAME = 100;

export function NameDialog(props: {
  title: string;
  action: string;
  name: string;
  save: (name: string) => Promise<void>;
  close: () => void;
}) {
  const words = useLibraryWords();
  const uiWords = useUiWords();
  const [name, setName] = useState(props.name);
  const form = useForm(["name"], async () => {
    await props.save(name);
    props.close();
  }, [[/collection/i, "name"]]);
  return (
    <Dialog title={props.title} close={props.close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.collectionName} error={form.errorOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={MAX_NAME}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <div class="actions">
          <Button onClick={props.close}>{uiWords.cancel}</Button>
          <Button kind="primary" type="submit" disabled={form.isSending || name.trim() === ""}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Adds videos to a collection that exists or to a new one. */
export function AddToCollection({ ids, close, done }: { ids: string[]; close: () => void; done: () => void }) {
  const words = useLibraryWords();
  const [isNaming, setIsNaming] = useState(false);
  const data = useData("collections", (signal) => get<CollectionsAnswer>("/api/collections", { signal }));
  const add = async (collection: Pick<CollectionAnswer, "collection_id" | "name">) => {
    await post(`/api/collections/${collection.collection_id}/videos`, { body: { add: ids } });
    notify(words.added(ids.length, collection.name));
    done();
    close();
  };
  if (isNaming) {
    return (
      <NameDialog
        title={words.newCollection}
        action={words.create}
        name=""
        save={async (name) => add(await post<CollectionAnswer>("/api/collections", { body: { name } }))}
        close={close}
      />
    );
  }
  return (
    <Dialog title={words.addToTitle(ids.length)} close={close}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value === undefined && !data.error && <Loading />}
      <ul class="collection-choices">
        {data.value?.collections.map((item) => (
          <li key={item.collection_id}>
            <button type="button" onClick={() => void add(item).catch(notifyError)}>
              <Icon name="collection" />
              <span>{item.name}</span>
              <span class="soft number">{words.videoCount(item.videos)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button icon="add" onClick={() => setIsNaming(true)}>
        {words.newCollection}
      </Button>
    </Dialog>
  );
}
