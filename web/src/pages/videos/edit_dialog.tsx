// Dialogs that change what people say of videos: name, description and tags of one, further tags of many.

import { useState } from "preact/hooks";
import { patch } from "../../api/client";
import type { VideoAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { useUiWords } from "../../ui/words";
import { useLibraryWords } from "./library_words";

const MAX_NAME = 255;
const MAX_DESCRIPTION = 5000;

/** "a, b" as two tags; what is empty is none. */
export function tagsOf(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

export function EditDialog(props: { video: VideoAnswer; close: () => void; saved: (video: VideoAnswer) => void }) {
  const words = useLibraryWords();
  const uiWords = useUiWords();
  const [name, setName] = useState(props.video.name);
  const [description, setDescription] = useState(props.video.description ?? "");
  const [tags, setTags] = useState(props.video.tags.join(", "));
  const form = useForm(["name", "description", "tags"], async () => {
    const body = { name, description: description === "" ? null : description, tags: tagsOf(tags) };
    props.saved(await patch<VideoAnswer>(`/videos/${props.video.videoId}`, { body }));
    notify(words.saved);
    props.close();
  });
  return (
    <Dialog title={words.editTitle} close={props.close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.editName} error={form.errorOf("name")}>
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
        <FormField label={words.editDescription} error={form.errorOf("description")}>
          {(attributes) => (
            <textarea
              {...attributes}
              maxLength={MAX_DESCRIPTION}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          )}
        </FormField>
        <TagsField value={tags} change={setTags} error={form.errorOf("tags")} />
        <div class="actions">
          <Button onClick={props.close}>{uiWords.cancel}</Button>
          <Button kind="primary" type="submit" disabled={form.isSending}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function AddTagsDialog(props: { videos: VideoAnswer[]; close: () => void; saved: () => void }) {
  const words = useLibraryWords();
  const uiWords = useUiWords();
  const [tags, setTags] = useState("");
  const form = useForm(["tags"], async () => {
    const added = tagsOf(tags);
    // One after the other: each says which video could not be changed, and what is done stays done.
    for (const video of props.videos) {
      await patch(`/videos/${video.videoId}`, { body: { tags: [...video.tags, ...added] } });
    }
    notify(words.tagsAdded(props.videos.length));
    props.saved();
    props.close();
  });
  return (
    <Dialog title={words.addTagsTitle(props.videos.length)} close={props.close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <TagsField value={tags} change={setTags} error={form.errorOf("tags")} />
        <div class="actions">
          <Button onClick={props.close}>{uiWords.cancel}</Button>
          <Button kind="primary" type="submit" disabled={form.isSending || tagsOf(tags).length === 0}>
            {words.addTags}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function TagsField(props: { value: string; change: (text: string) => void; error: string | undefined }) {
  const words = useLibraryWords();
  return (
    <FormField label={words.editTags} hint={words.editTagsHint} error={props.error}>
      {(attributes) => (
        <input {...attributes} value={props.value} onInput={(event) => props.change(event.currentTarget.value)} />
      )}
    </FormField>
  );
}
