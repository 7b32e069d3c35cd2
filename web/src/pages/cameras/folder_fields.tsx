// A camera that uploads files: its FTP account, and for operators the folder that is watched.

import type { WatchedCameraAnswer } from "../../api/types";
import { useMe } from "../../api/use_me";
import { Button } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Dialog } from "../../ui/dialog";
import { Fact } from "../../ui/fact";
import { FormField } from "../../ui/form";
import { CredentialFields } from "./credential_fields";
import { type FieldsProps, sourceError } from "./field_props";
import { useOtherSourceWords } from "./other_source_words";
import { useCameraWords } from "./words";

type Upload = NonNullable<WatchedCameraAnswer["upload"]>;

export function FolderFields(props: FieldsProps) {
  const words = useOtherSourceWords();
  const { values, change, form } = props;
  const mayChoose = useMe().value?.is_operator === true;
  return (
    <>
      <p class="soft">{words.folderText}</p>
      <CredentialFields {...props} userHint={words.ftpUserHint} />
      {mayChoose && (
        <FormField label={words.folder} hint={words.folderHint} error={sourceError(form, "address")}>
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              spellcheck={false}
              maxLength={2048}
              value={values.address}
              onInput={(event) => change({ address: event.currentTarget.value })}
            />
          )}
        </FormField>
      )}
    </>
  );
}

/** What is typed into the camera so that its files arrive. */
export function UploadFacts({ upload }: { upload: Upload }) {
  const words = useOtherSourceWords();
  return (
    <section class="upload-facts" aria-label={words.intoCamera}>
      <p class="label">{words.intoCamera}</p>
      <dl class="fact-list">
        <Fact name={words.ftpServer}>
          {upload.ftp_port !== null && <Copied text={`${location.hostname}:${upload.ftp_port}`} />}
        </Fact>
        <Fact name={words.ftpUser}>{upload.ftp_port !== null && <Copied text={upload.ftp_username} />}</Fact>
        <Fact name={words.ftpPassword}>{upload.ftp_port !== null && words.ftpPasswordText}</Fact>
        <Fact name={words.folder}>{upload.folder !== null && <Copied text={upload.folder} />}</Fact>
      </dl>
      {upload.ftp_port === null && (
        <p class="soft">
          {words.ftpOff} <code>SIGHTLINE_FTP_PORT=2121</code>
        </p>
      )}
    </section>
  );
}

function Copied({ text }: { text: string }) {
  const words = useCameraWords();
  return (
    <span class="copied">
      <code>{text}</code>
      <Button icon="copy" kind="quiet" iconOnly onClick={() => copyText(text, words.copied)}>
        {words.copy}
      </Button>
    </span>
  );
}

export function UploadDialog({ name, upload, close }: { name: string; upload: Upload; close: () => void }) {
  return (
    <Dialog title={name} close={close}>
      <UploadFacts upload={upload} />
    </Dialog>
  );
}
