// How a detector of one's own sends what it sees.

import { Button } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Dialog } from "../../ui/dialog";
import { useCameraWords } from "./words";

export function HowToDialog({ camera, close }: { camera: string; close: () => void }) {
  const words = useCameraWords();
  const body = JSON.stringify({
    camera_id: camera,
    object_type: "person",
    confidence: 0.93,
    bbox: [0.4, 0.3, 0.15, 0.5],
  });
  const command = `curl -X POST ${location.origin}/api/detections -H 'content-type: application/json' \\\n  -d '${body}'`;
  return (
    <Dialog title={words.howTo} close={close}>
      <div class="stack">
        <p>{words.howToText}</p>
        <pre>{command}</pre>
        <div class="line">
          <Button icon="copy" onClick={() => copyText(command, words.copied)}>
            {words.copy}
          </Button>
          <a href="/docs#/security%20events">{words.api}</a>
        </div>
      </div>
    </Dialog>
  );
}
