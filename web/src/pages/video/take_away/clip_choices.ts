// What was chosen for a clip that is about to be created.

export interface ClipChoices {
  name: string;
  captions: "none" | "soft" | "burned";
  captionKind: "text" | "speech" | "both";
}

export const NO_CHOICES: ClipChoices = { name: "", captions: "none", captionKind: "both" };

/** As the API takes it: what was not chosen is left out. */
export function bodyOf({ name, captions, captionKind }: ClipChoices): Record<string, string> {
  return {
    ...(name.trim() !== "" && { name: name.trim() }),
    ...(captions !== "none" && { captions, caption_kind: captionKind }),
  };
}
