// A modal dialog: the browser traps focus, closes it on Escape and restores focus.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./basics";
import { useUiWords } from "./words";

interface Props {
  title: string;
  close: () => void;
  class?: string;
  children: ComponentChildren;
}

export function Dialog({ title, close, class: extra, children }: Props) {
  const words = useUiWords();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={extra}
      aria-labelledby={id}
      onClose={close}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button icon="cross" kind="quiet" iconOnly onClick={() => element.current?.close()}>
          {words.close}
        </Button>
      </div>
      <div class="body">{children}</div>
    </dialog>
  );
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm(props: { title: string; text: string; action: string; run: () => void; close: () => void }) {
  const words = useUiWords();
  return (
    <Dialog title={props.title} close={props.close}>
      <p>{props.text}</p>
      <div class="actions">
        <Button onClick={props.close}>{words.cancel}</Button>
        <Button
          kind="danger"
          onClick={() => {
            props.run();
            props.close();
          }}
        >
          {props.action}
        </Button>
      </div>
    </Dialog>
  );
}
