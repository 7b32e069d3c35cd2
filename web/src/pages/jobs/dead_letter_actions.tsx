// Redrive and discard for dead letters, with a confirmation before anything permanent.

import { useState } from "preact/hooks";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notifyError } from "../../ui/toasts";
import { useQueueWords } from "./queue_words";
import { discard, type LetterSelection, redrive, reportDeadLetters } from "./queues";

export interface DeadLetterActions {
  isBusy: boolean;
  redrive: (letters: LetterSelection) => void;
  confirmDiscard: (letters: LetterSelection) => void;
  /** The open confirmation dialog, if any. */
  confirmation: { kind: "discard" | "force"; letters: LetterSelection; count: number } | null;
  confirm: () => void;
  dismiss: () => void;
}

/** `done` receives the ids of the messages that left the queue. */
export function useDeadLetterActions(queue: string, done: (gone: string[]) => void): DeadLetterActions {
  const words = useQueueWords();
  const [isBusy, setIsBusy] = useState(false);
  const [confirmation, setConfirmation] = useState<DeadLetterActions["confirmation"]>(null);
  const run = async (work: () => Promise<string[]>) => {
    setIsBusy(true);
    let gone: string[] = [];
    try {
      gone = await work();
    } catch (error) {
      notifyError(error);
    }
    setIsBusy(false);
    done(gone);
  };
  const drive = (letters: LetterSelection, force = false) =>
    run(async () => {
      const report = await redrive(queue, letters, { force });
      reportDeadLetters(report, words.wasRedriven, words);
      if (report.skipped > 0) setConfirmation({ kind: "force", letters, count: report.skipped });
      return report.ids;
    });
  const remove = (letters: LetterSelection) =>
    run(async () => {
      const report = await discard(queue, letters);
      reportDeadLetters(report, words.wasDiscarded, words);
      return report.ids;
    });
  return {
    isBusy,
    redrive: (letters) => void drive(letters),
    confirmDiscard: (letters) => setConfirmation({ kind: "discard", letters, count: letters?.length ?? 0 }),
    confirmation,
    confirm: () => {
      if (confirmation !== null)
        void (confirmation.kind === "force" ? drive(confirmation.letters, true) : remove(confirmation.letters));
    },
    dismiss: () => setConfirmation(null),
  };
}

export function DeadLetterDialogs({ actions }: { actions: DeadLetterActions }) {
  const words = useQueueWords();
  const { confirmation } = actions;
  if (confirmation === null) return null;
  const isForce = confirmation.kind === "force";
  const count = confirmation.letters === null ? words.allLetters : words.letterCount(confirmation.count);
  return (
    <Confirm
      title={isForce ? words.forceTitle : words.discardTitle}
      text={isForce ? words.forceText(confirmation.count) : words.discardText(count)}
      action={isForce ? words.force : words.discard}
      run={actions.confirm}
      close={actions.dismiss}
    />
  );
}

export function DeadLetterToolbar(props: {
  selected: string[];
  total: number;
  clear: () => void;
  actions: DeadLetterActions;
}) {
  const words = useQueueWords();
  const { selected, total, actions } = props;
  const { isBusy } = actions;
  if (selected.length > 0) {
    return (
      <div class="work-bar">
        <span role="status">{words.selected(selected.length)}</span>
        <Button icon="retry" kind="primary" disabled={isBusy} onClick={() => actions.redrive(selected)}>
          {words.redriveSelected(selected.length)}
        </Button>
        <Button icon="trash" kind="danger" disabled={isBusy} onClick={() => actions.confirmDiscard(selected)}>
          {words.discardSelected(selected.length)}
        </Button>
        <Button kind="quiet" icon="cross" iconOnly onClick={props.clear}>
          {words.clearSelection}
        </Button>
      </div>
    );
  }
  if (total === 0) return null;
  return (
    <div class="work-bar">
      <Button icon="retry" disabled={isBusy} onClick={() => actions.redrive(null)}>
        {words.redriveAll}
      </Button>
      <Button icon="trash" kind="danger" disabled={isBusy} onClick={() => actions.confirmDiscard(null)}>
        {words.discardAll}
      </Button>
    </div>
  );
}
