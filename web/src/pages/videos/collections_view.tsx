// All collections as cards, each with pictures of its newest videos.

import { useState } from "preact/hooks";
import { get, patch, post, remove } from "../../api/client";
import type { CollectionAnswer, CollectionsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Link } from "../../core/router";
import { ApiImage } from "../../ui/api_image";
import { Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { notify, notifyError } from "../../ui/toasts";
import { NameDialog } from "./collection_dialog";
import { useLibraryWords } from "./library_words";

export const collectionAddress = (id: string): string => `/ui/videos?collection=${id}`;

export function CollectionsView() {
  const words = useLibraryWords();
  const [isNaming, setIsNaming] = useState(false);
  const data = useData("collections", (signal) => get<CollectionsAnswer>("/api/collections", { signal }));
  const create = async (name: string) => {
    await post<CollectionAnswer>("/api/collections", { body: { name } });
    notify(words.created(name.trim()));
    data.reload();
  };
  const add = (
    <Button
      icon="add"
      kind={data.value?.collections.length === 0 ? "primary" : "plain"}
      onClick={() => setIsNaming(true)}
    >
      {words.newCollection}
    </Button>
  );
  return (
    <>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value === undefined && !data.error && <Loading />}
      {data.value?.collections.length === 0 && (
        <Empty title={words.noCollections} picture="collections">
          <p>{words.noCollectionsText}</p>
          {add}
        </Empty>
      )}
      {data.value !== undefined && data.value.collections.length > 0 && (
        <>
          <div class="line view-actions">{add}</div>
          <ul class="collection-grid" aria-label={words.collections}>
            {data.value.collections.map((item) => (
              <Card key={item.collection_id} collection={item} changed={data.reload} />
            ))}
          </ul>
        </>
      )}
      {isNaming && (
        <NameDialog
          title={words.newCollection}
          action={words.create}
          name=""
          save={create}
          close={() => setIsNaming(false)}
        />
      )}
    </>
  );
}

function Card({ collection, changed }: { collection: CollectionAnswer; changed: () => void }) {
  const words = useLibraryWords();
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const path = `/api/collections/${collection.collection_id}`;
  const address = collectionAddress(collection.collection_id);
  const rename = async (name: string) => {
    await patch(path, { body: { name } });
    notify(words.renamed);
    changed();
  };
  const end = () =>
    remove(path).then(() => {
      notify(words.collectionDeleted);
      changed();
    }, notifyError);
  return (
    <li class="collection-card">
      <Link
        class={`covers covers-${Math.max(1, collection.covers.length)}`}
        to={address}
        tabIndex={-1}
        aria-hidden="true"
      >
        {collection.covers.length === 0 && <Icon name="collection" />}
        {collection.covers.map((id) => (
          <ApiImage key={id} src={`/videos/${id}/poster`} />
        ))}
      </Link>
      <div class="card-text">
        <h2>
          <Link to={address}>{collection.name}</Link>
        </h2>
        <Menu label={words.actions(collection.name)} icon="more" isIconOnly>
          <Button kind="quiet" icon="pencil" onClick={() => setOpen("rename")}>
            {words.rename}
          </Button>
          <Button kind="quiet" icon="trash" onClick={() => setOpen("delete")}>
            {words.deleteCollection}
          </Button>
        </Menu>
        <p class="card-line soft number">{words.videoCount(collection.videos)}</p>
      </div>
      {open === "rename" && (
        <NameDialog
          title={words.rename}
          action={words.save}
          name={collection.name}
          save={rename}
          close={() => setOpen(null)}
        />
      )}
      {open === "delete" && (
        <Confirm
          title={words.deleteCollectionAsk}
          text={words.deleteCollectionText(collection.name)}
          action={words.deleteCollection}
          run={end}
          close={() => setOpen(null)}
        />
      )}
    </li>
  );
}
