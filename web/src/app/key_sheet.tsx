// The list of keyboard shortcuts that work on the current page.

import { keyNames, shortcuts } from "../core/shortcuts";
import { useStore } from "../core/store";
import { Dialog } from "../ui/dialog";
import { useAppWords } from "./words";

export function KeySheet({ close }: { close: () => void }) {
  const words = useAppWords();
  const list = useStore(shortcuts);
  return (
    <Dialog title={words.keys} close={close}>
      <dl class="keys">
        {list
          .filter((item) => item.help !== "")
          .map((item) => (
            <div key={item.keys}>
              <dt>
                {keyNames(item.keys, words.space).map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{item.help}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
