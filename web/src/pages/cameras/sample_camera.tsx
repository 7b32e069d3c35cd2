// The sample camera, added with one click.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { Button } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { useCameraWords } from "./words";

export function SampleButton({ kind, added }: { kind?: "primary"; added: () => void }) {
  const words = useCameraWords();
  const [isAdding, setIsAdding] = useState(false);
  const add = () => {
    setIsAdding(true);
    post("/api/cameras/sample")
      .then(() => {
        notify(words.sampleAdded);
        added();
      }, notifyError)
      .finally(() => setIsAdding(false));
  };
  return (
    <Button icon="play" kind={kind ?? "plain"} disabled={isAdding} onClick={add}>
      {words.doorSampleButton}
    </Button>
  );
}
