// The empty wall: three doors to the first camera.

import { Button } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import type { Door } from "./add_dialog";
import { SampleButton } from "./sample_camera";
import { useCameraWords } from "./words";

export function NoCameras({ open, added }: { open: (door: Door) => void; added: () => void }) {
  const words = useCameraWords();
  return (
    <section class="no-cameras">
      <Icon name="camera" />
      <h2>{words.none}</h2>
      <p>{words.noneText}</p>
      <ul class="doors">
        <li class="card">
          <h3>{words.doorAddress}</h3>
          <p>{words.doorAddressText}</p>
          <Button kind="primary" icon="add" onClick={() => open("address")}>
            {words.add}
          </Button>
        </li>
        <li class="card">
          <h3>{words.doorSample}</h3>
          <p>{words.doorSampleText}</p>
          <SampleButton added={added} />
        </li>
        <li class="card">
          <h3>{words.doorPost}</h3>
          <p>{words.doorPostText}</p>
          <Button icon="upload" onClick={() => open("post")}>
            {words.doorPostButton}
          </Button>
        </li>
      </ul>
    </section>
  );
}
