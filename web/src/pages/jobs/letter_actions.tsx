// Another chance for dead letters, or their end; what cannot be taken back, or has failed often, is asked about first.

import { useState } from "preact/hooks";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { complain } from "../../ui/toasts";
import { useQueueWords } from "./queue_words";
import { type Meant, discard, redrive, tellLetters } from "./queues";

export interface LetterActions {
  isBusy: boolean;
  redrive: (meant: Meant) => void;
  askToDiscard: (meant: Meant) => void;
  /** What somebody has to answer. */
  question: { kind: "discard" | "force"; meant: Meant; count: number } | null;
  answer: () => void;
  dismiss: () => void;
}

/** `done` hears which letters are gone. */
export function useLetterActions(queue: string, done: (gone: string[]) => void): LetterActions {
  const words = useQueueWords();
  const [isBusy, setIsBusy] = useState(false);
  const [question, setQuestion] = useState<LetterActions["question"]>(null);
  const run = async (work: () => Promise<string[]>) => {
    setIsBusy(true);
    let gone: string[] = [];
    try {
      gone = await work();
    } catch (error) {
      complain(error);
    }
    setIsBusy(false);
    done(gone);
  };
  const drive = (meant: Meant, force = false) =>
    run(async () => {
      const report = await redrive(queue, meant, { force });
      tellLetters(report, words.wasRedriven, words);
      if (report.skipped > 0) setQuestion({ kind: "force", meant, count: report.skipped });
      return report.ids;
    });
  const remove = (meant: Meant) =>
    run(async () => {
      const report = await discard(queue, meant);
      tellLetters(report, words.wasDiscarded, words);
      return report.ids;
    });
  return {
    isBusy,
    redrive: (meant) => void drive(meant),
    askToDiscard: (meant) => setQuestion({ kind: "discard", meant, count: meant?.length ?? 0 }),
    question,
    answer: () => {
      if (question !== null) void (question.kind === "force" ? drive(question.meant, true) : remove(question.meant));
    },
    dismiss: () => setQuestion(null),
  };
}

export function LetterQuestions({ actions }: { actions: LetterActions }) {
  const words = useQueueWords();
  const { question } = actions;
  if (question === null) return null;
  const isForce = question.kind === "force";
  const count = question.meant === null ? words.allLetters : words.letterCount(question.count);
  return (
    <Confirm
      title={isForce ? words.forceTitle : words.discardTitle}
      text={isForce ? words.forceText(question.count) : words.discardText(count)}
      action={isForce ? words.force : words.discard}
      run={actions.answer}
      close={actions.dismiss}
    />
  );
}

export function LetterBar(props: { selected: string[]; total: number; clear: () => void; actions: LetterActions }) {
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
        <Button icon="trash" kind="danger" disabled={isBusy} onClick={() => actions.askToDiscard(selected)}>
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
      <Button icon="trash" kind="danger" disabled={isBusy} onClick={() => actions.askToDiscard(null)}>
        {words.discardAll}
      </Button>
    </div>
  );
}
