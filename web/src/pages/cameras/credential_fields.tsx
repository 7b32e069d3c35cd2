// User name and password of a camera, its FTP account or its broker.

import { FormField } from "../../ui/form";
import { type FieldsProps, sourceError } from "./field_props";
import { useSourceWords } from "./source_words";

interface Props extends FieldsProps {
  /** Below the user name, if there is something to say. */
  userHint?: string;
}

export function CredentialFields({ values, change, form, hasPassword, userHint }: Props) {
  const words = useSourceWords();
  return (
    <div class="form-pair">
      <FormField label={words.username} hint={userHint} error={sourceError(form, "username")}>
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            spellcheck={false}
            maxLength={256}
            value={values.username}
            onInput={(event) => change({ username: event.currentTarget.value })}
          />
        )}
      </FormField>
      <FormField
        label={words.password}
        hint={hasPassword ? words.passwordKept : words.passwordHint}
        error={sourceError(form, "password")}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="password"
            autocomplete="new-password"
            maxLength={256}
            value={values.password}
            onInput={(event) => change({ password: event.currentTarget.value })}
          />
        )}
      </FormField>
    </div>
  );
}
