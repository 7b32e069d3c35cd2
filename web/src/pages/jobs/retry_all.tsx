// Dialog that previews a retry of all failed jobs, then runs it.

import { useState } from "preact/hooks";
import type { RetryAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { notifyError } from "../../ui/toasts";
import { reasonsOf, reportRetry, retryAll } from "./actions";
import { useJobWords } from "./words";

interface Props {
  /** Empty for all types. */
  type: string;
  close: () => void;
  retried: (report: RetryAnswer) => void;
  done: () => void;
}

export function RetryAll({ type, close, retried, done }: Props) {
  const words = useJobWords();
  const [isBusy, setIsBusy] = useState(false);
  const plan = useData(`plan ${type}`, () => retryAll(type, true));
  const reasons = plan.value === undefined ? [] : reasonsOf(plan.value, words);
  const run = () => {
    setIsBusy(true);
    retryAll(type, false)
      .then((report) => {
        reportRetry(report, words);
        retried(report);
      })
      .catch(notifyError)
      .finally(() => {
        done();
        close();
      });
  };
  return (
    <Dialog title={type === "" ? words.retryAll : words.retryAllOf(type)} close={close}>
      <div class="stack">
        {plan.error && <ErrorNote error={plan.error} retry={plan.reload} />}
        {plan.value === undefined && plan.error === undefined && <Loading />}
        {plan.value !== undefined && (
          <>
            <p role="status">
              <strong>{words.would(plan.value.retried)}</strong>{" "}
              {Object.entries(plan.value.by_type)
                .map(([name, count]) => `${name} ${count}`)
                .join(", ")}
            </p>
            {reasons.length > 0 && (
              <div>
                <p>{words.wouldNot(reasons.reduce((sum, [, count]) => sum + count, 0))}</p>
                <ul class="reasons">
                  {reasons.map(([reason, count]) => (
                    <li key={reason}>
                      <span class="number">{count}</span> {reason}
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {plan.value.has_more && <p>{words.more}</p>}
            <div class="actions">
              <Button kind="primary" icon="retry" disabled={isBusy || plan.value.retried === 0} onClick={run}>
                {words.retryNow(plan.value.retried)}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
