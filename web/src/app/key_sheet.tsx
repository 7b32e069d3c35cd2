// The sheet of keys that work at the moment.

import { Dialog } from "../ui/dialog";
import { keyNames, shortcuts } from "./keys";
import { useStore } from "./store";
import { useAppWords } from "./words";

export function KeySheet({ close }: { close: () => void }) {
  const words = useAppWords();
  const list = useStore(shortcuts);
  return (
    <Dialog title={words.keys} close={close}>
      <dl class="keys">
        {list.map((one) => (
          <div key={one.keys}>
            <dt>
              {keyNames(one.keys, words.space).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{one.help}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
