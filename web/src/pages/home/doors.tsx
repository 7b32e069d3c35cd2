// The doors into Sightline: a video, a camera, a sample.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { post } from "../../api/client";
import { addressOf } from "../../core/addresses";
import { Link, navigate } from "../../core/router";
import { Button } from "../../ui/basics";
import { Icon, type IconName } from "../../ui/icons";
import { notify, notifyError } from "../../ui/toasts";
import { ACCEPTED } from "../../upload/accepted_files";
import { addUpload } from "../../upload/uploads";
import { useHomeWords } from "./words";

export function Doors({ isNew, made }: { isNew: boolean; made: () => void }) {
  const words = useHomeWords();
  return (
    <section class={isNew ? "doors first" : "doors"} aria-label={words.start}>
      {isNew ? <p class="lead">{words.lead}</p> : <h2>{words.addMore}</h2>}
      <ul>
        <Door isNew={isNew} icon="video" title={words.video} text={words.videoText}>
          <UploadButton kind={isNew ? "primary" : "plain"} />
        </Door>
        <Door isNew={isNew} icon="camera" title={words.camera} text={words.cameraText}>
          <Link class={isNew ? "button primary" : "button"} to={`${addressOf("cameras")}?add`}>
            <Icon name="add" />
            {words.addCamera}
          </Link>
        </Door>
        <Door isNew={isNew} icon="play" title={words.sample} text={words.sampleText}>
          <SampleButton made={made} />
        </Door>
      </ul>
    </section>
  );
}

interface DoorProps {
  isNew: boolean;
  icon: IconName;
  title: string;
  text: string;
  children: ComponentChildren;
}

function Door(props: DoorProps) {
  // Newcomers see nothing else, so there is no heading above the doors.
  const Heading = props.isNew ? "h2" : "h3";
  return (
    <li class="card door">
      <Icon name={props.icon} />
      <Heading>{props.title}</Heading>
      <p>{props.text}</p>
      {props.children}
    </li>
  );
}

function UploadButton({ kind }: { kind: "primary" | "plain" }) {
  const words = useHomeWords();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" kind={kind} onClick={() => picker.current?.click()}>
        {words.upload}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={words.upload}
        onChange={(event) => {
          for (const file of event.currentTarget.files ?? []) addUpload(file);
          event.currentTarget.value = "";
          navigate(addressOf("videos"));
        }}
      />
    </>
  );
}

function SampleButton({ made }: { made: () => void }) {
  const words = useHomeWords();
  const [isMaking, setIsMaking] = useState(false);
  const make = () => {
    setIsMaking(true);
    post("/api/sample-video")
      .then(() => {
        notify(words.sampleMade);
        made();
      }, notifyError)
      .finally(() => setIsMaking(false));
  };
  return (
    <Button icon="play" disabled={isMaking} onClick={make}>
      {isMaking ? words.sampleMaking : words.trySample}
    </Button>
  );
}
