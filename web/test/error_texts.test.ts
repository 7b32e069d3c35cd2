import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../src/api/client";
import type { Language } from "../src/core/language";
import { definedWords } from "../src/core/language";
import { de } from "../src/languages/de/words";
import { es } from "../src/languages/es/words";
import { errorTexts } from "../src/ui/error_text";
import "../src/ui/error_words";
import "../src/ui/words";

function textsIn(language: Language) {
  const words = (name: string) => {
    const { en, pt } = definedWords.get(name) ?? { en: {}, pt: {} };
    return { ...en, ...{ en, pt, de: de[name], es: es[name] }[language] };
  };
  return errorTexts(language, words("ui") as never, words("errors") as never);
}

test("English readers get the API's own sentence", () => {
  const error = new ApiError(409, "CONFLICT", "the job is done and cannot be cancelled");
  deepEqual(textsIn("en").textOf(error), { text: "the job is done and cannot be cancelled" });
});

test("others get a sentence in their language, and the API's own behind it", () => {
  const error = new ApiError(409, "CONFLICT", "the job is done and cannot be cancelled");
  for (const language of ["pt", "es", "de"] as const) {
    const { text, english } = textsIn(language).textOf(error);
    equal(english, error.message);
    equal(text === error.message || text === "", false);
  }
  equal(
    textsIn("de").lineOf(error),
    "Das geht in diesem Zustand nicht. Lade neu und sieh noch einmal nach. Einzelheiten auf Englisch: the job is done and cannot be cancelled",
  );
});

test("a missing thing is named, and needs no English", () => {
  const error = new ApiError(404, "CAMERA_NOT_FOUND", "no camera with this id");
  deepEqual(textsIn("es").textOf(error), { text: "No encontrado: cámara." });
  deepEqual(textsIn("pt").textOf(error), { text: "Não encontrado: câmera." });
});

test("a code that the page does not know leaves the API's sentence", () => {
  deepEqual(textsIn("de").textOf(new ApiError(418, "IM_A_TEAPOT", "short and stout")), { text: "short and stout" });
});

test("figures are said exactly in every language", () => {
  const error = new ApiError(403, "QUOTA_EXCEEDED", "…", { quota: "quota_videos", limit: 12 });
  equal(textsIn("en").lineOf(error), "You can have 12 videos. Delete one first.");
  equal(textsIn("de").lineOf(error).includes("12"), true);
});

test("what is wrong with a field is said in the reader's language where its kind says it", () => {
  const short = {
    field: "name",
    message: "String should have at least 3 characters",
    kind: "string_too_short",
    limit: "3",
  };
  equal(textsIn("en").problemOf(short), short.message);
  equal(textsIn("de").problemOf(short), "Mindestens 3 Zeichen.");
  equal(textsIn("es").problemOf({ ...short, limit: "1" }), "Rellena este campo.");
  const own = { field: "q", message: "a quotation mark is not closed", kind: "value_error" };
  equal(textsIn("de").problemOf(own), own.message);
});
