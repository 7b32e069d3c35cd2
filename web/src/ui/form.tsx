// A field of a form that says what is wrong with it, and forms that show at each field what the API says of it.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { ErrorNote } from "./basics";

/** What an input has to carry to be known with its label, hint and error. */
export interface InputNames {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export function FormField(props: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (names: InputNames) => ComponentChildren;
}) {
  const id = useId();
  const described = [props.error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label class="label" for={id}>
        {props.label}
      </label>
      {props.children({ id, "aria-invalid": props.error !== undefined, "aria-describedby": described || undefined })}
      {props.error && (
        <small class="field-error" id={`${id}-error`}>
          {props.error}
        </small>
      )}
      {props.hint && <small id={`${id}-hint`}>{props.hint}</small>}
    </div>
  );
}

export interface FormState {
  isSending: boolean;
  /** What is wrong with a field, by the API's name of it. */
  errorOf: (field: string) => string | undefined;
  /** What is wrong with none of the fields that are shown. */
  note: ComponentChildren;
  submit: (event: Event) => void;
}

/** `guesses` tell the field of an error that does not name one itself. */
export function useForm(
  fields: readonly string[],
  send: () => Promise<void>,
  guesses: readonly (readonly [RegExp, string])[] = [],
): FormState {
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const known = error === null ? {} : errorsByField(error, guesses);
  const hasPlace = error !== null && Object.keys(known).length > 0 && Object.keys(known).every((one) => fields.includes(one));
  return {
    isSending,
    errorOf: (field) => known[field],
    note: error !== null && !hasPlace && <ErrorNote error={error} />,
    submit: (event) => {
      event.preventDefault();
      if (isSending) return;
      setIsSending(true);
      setError(null);
      send()
        .catch((failed: unknown) => {
          setError(failed instanceof ApiError ? failed : new ApiError(0, "UNEXPECTED", String(failed)));
          const form = event.currentTarget;
          // After the fields have been told; the first wrong one is where somebody wants to be.
          if (form instanceof HTMLFormElement) setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
        })
        .finally(() => setIsSending(false));
    },
  };
}

function errorsByField(error: ApiError, guesses: readonly (readonly [RegExp, string])[]): Record<string, string> {
  const problems = error.details.errors as { field: string; message: string }[] | undefined;
  if (problems !== undefined) return Object.fromEntries(problems.map((one) => [one.field, one.message]));
  const guess = guesses.find(([pattern]) => pattern.test(error.message));
  return guess === undefined ? {} : { [guess[1]]: error.message };
}
