// JSON with one line for each key of the outermost object, as people write policies.

/** Takes JSON text or a value; a text that is not a JSON object stays as it is. */
export function indentedJson(given: unknown): string {
  const value = typeof given === "string" ? parse(given) : given;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return String(given);
  const lines = Object.entries(value).map(([key, item]) => `  ${JSON.stringify(key)}: ${inline(item)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`)
    .join(", ")}}`;
}
