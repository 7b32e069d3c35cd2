// Tags of a video as the API keeps them.

/** The tags with one more, without a leading #; equal ones but for case and space are there once. */
export function withTag(tags: string[], given: string): string[] {
  const tag = given
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^#+\s*/, "");
  const isKnown = tags.some((item) => item.toLowerCase() === tag.toLowerCase());
  return tag === "" || isKnown ? tags : [...tags, tag];
}
