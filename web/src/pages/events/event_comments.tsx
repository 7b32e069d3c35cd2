// Comments of an event: everybody who may see it reads them; authors delete their own.

import { useEffect, useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { CommentAnswer, CommentsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Ago, Button, ErrorNote } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notifyError } from "../../ui/toasts";
import { useHandlingWords } from "./handling_words";

const MAX_LENGTH = 4000;

interface Props {
  eventId: number;
  /** A new value: others may have written something. */
  happened: number;
  changed: () => void;
}

export function EventComments({ eventId, happened, changed }: Props) {
  const words = useHandlingWords();
  const address = `/api/events/${eventId}/comments`;
  const data = useData(address, (signal) => get<CommentsAnswer>(address, { signal }));
  useEffect(() => {
    if (happened > 0) data.reload();
  }, [happened]);
  const [text, setText] = useState("");
  const refresh = () => {
    data.reload();
    changed();
  };
  const form = useForm(["text"], async () => {
    await post(address, { body: { text } });
    setText("");
    refresh();
  });
  const drop = (comment: CommentAnswer) => remove(`${address}/${comment.comment_id}`).then(refresh, notifyError);
  const list = data.value?.comments;
  return (
    <section aria-label={words.comments}>
      <h3>{words.comments}</h3>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {list?.length === 0 && <p class="soft">{words.noComments}</p>}
      <ul class="comments">
        {list?.map((comment) => (
          <li key={comment.comment_id}>
            <p class="line">
              <strong>{comment.author.name ?? words.unnamed}</strong>
              <span class="soft">
                <Ago at={comment.created_at} />
                {comment.edited_at !== null && ` · ${words.edited}`}
              </span>
              {comment.is_own && (
                <Button icon="trash" kind="quiet" iconOnly onClick={() => drop(comment)}>
                  {words.deleteComment}
                </Button>
              )}
            </p>
            <p class="comment-text">{comment.text}</p>
          </li>
        ))}
      </ul>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.comment} hint={words.commentHint} error={form.errorOf("text")}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={2}
              required
              maxLength={MAX_LENGTH}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </FormField>
        <div class="line">
          <Button type="submit" disabled={form.isSending || text.trim() === ""}>
            {words.addComment}
          </Button>
        </div>
      </form>
    </section>
  );
}
