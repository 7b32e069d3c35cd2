// Bar that offers new events. The list itself never changes while someone works with it.

import { Button } from "../../ui/basics";
import { useEventWords } from "./words";

export function UpdatesBar({ waiting, settled, show }: { waiting: number; settled: number; show: () => void }) {
  const words = useEventWords();
  const parts = [waiting > 0 && words.newOnes(waiting), settled > 0 && words.settledOnes(settled)].filter(Boolean);
  return (
    <div class={parts.length === 0 ? "" : "new-bar"}>
      <span role="status">{parts.join(" · ")}</span>
      {parts.length > 0 && <Button onClick={show}>{waiting > 0 ? words.show : words.update}</Button>}
    </div>
  );
}
