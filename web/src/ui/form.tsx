// Form fields with hints and errors, and forms that show the API's errors at their fields.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { ErrorNote } from "./basics";
import { type ErrorTexts, type FieldProblem, useErrorTexts } from "./error_text";

/** Attributes that connect an input with its label, hint and error. */
export interface InputAttributes {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

export function FormField(props: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (attributes: InputAttributes) => ComponentChildren;
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
  /** The error of a field, by its name in the API. */
  errorOf: (field: string) => string | undefined;
  /** An error that belongs to no visible field. */
  note: ComponentChildren;
  submit: (event: Event) => void;
}

/** `guesses` map error messages without a field name to a field. */
export function useForm(
  fields: readonly string[],
  send: () => Promise<void>,
  guesses: readonly (readonly [RegExp, string])[] = [],
): FormState {
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const texts = useErrorTexts();
  const known = error === null ? {} : errorsByField(error, guesses, texts);
  const hasField =
    error !== null && Object.keys(known).length > 0 && Object.keys(known).every((item) => fields.includes(item));
  return {
    isSending,
    errorOf: (field) => known[field],
    note: error !== null && !hasField && <ErrorNote error={error} />,
    submit: (event) => {
      event.preventDefault();
      if (isSending) return;
      setIsSending(true);
      setError(null);
      send()
        .catch((failed: unknown) => {
          setError(failed instanceof ApiError ? failed : new ApiError(0, "UNEXPECTED", String(failed)));
          const form = event.currentTarget;
          // Focuses the first invalid field after it is rendered.
          if (form instanceof HTMLFormElement)
            setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
        })
        .finally(() => setIsSending(false));
    },
  };
}

/** What is wrong with a body as a whole may name its field in front of the message. */
function fieldOf(problem: FieldProblem, texts: ErrorTexts): [field: string, text: string] {
  const { field, message } = problem;
  const [, name, text] = /^(\w+): (.+)$/s.exec(field === "body" ? message : "") ?? [];
  return name === undefined || text === undefined ? [field, texts.problemOf(problem)] : [name, text];
}

export function errorsByField(
  error: ApiError,
  guesses: readonly (readonly [RegExp, string])[],
  texts: ErrorTexts,
): Record<string, string> {
  const problems = error.details.errors as FieldProblem[] | undefined;
  if (problems !== undefined) return Object.fromEntries(problems.map((problem) => fieldOf(problem, texts)));
  const guess = guesses.find(([pattern]) => pattern.test(error.message));
  return guess === undefined ? {} : { [guess[1]]: texts.lineOf(error) };
}
