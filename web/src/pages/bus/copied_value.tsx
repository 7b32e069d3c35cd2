// Values to copy: an ARN, an address, or lines of code, each with its copy button.

import { Button } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { useBusWords } from "./words";

interface Props {
  /** What the value is, for the name of the button. */
  what: string;
  value: string;
}

export function CopiedValue({ what, value }: Props) {
  return (
    <span class="copied-value">
      <code>{value}</code>
      <CopyButton what={what} value={value} />
    </span>
  );
}

export function CopiedCode({ what, value }: Props) {
  return (
    <div class="copied-code">
      <pre tabIndex={0}>
        <code>{value}</code>
      </pre>
      <CopyButton what={what} value={value} />
    </div>
  );
}

function CopyButton({ what, value }: Props) {
  const words = useBusWords();
  return (
    <Button icon="copy" kind="quiet" iconOnly onClick={() => void copyText(value, words.copied(what))}>
      {words.copy(what)}
    </Button>
  );
}
