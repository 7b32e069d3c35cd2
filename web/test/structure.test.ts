import { deepEqual } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

/** From the bottom to the top: a folder imports only from itself and from folders below it. */
const LAYERS = ["core", "api", "live", "upload", "ui", "pages", "app", "languages", "share", "worker"];

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
const read = (path: string) => readFileSync(join(SOURCE, path), "utf8");

function importsOf(path: string): string[] {
  const specifiers = [...read(path).matchAll(/(?:from |import\(|import )"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.map((specifier) => {
    const target = relative(SOURCE, join(SOURCE, normalize(join(dirname(path), specifier)))).replaceAll("\\", "/");
    const found = [`${target}.ts`, `${target}.tsx`].find((name) => sources.includes(name));
    if (found === undefined) throw new Error(`${path} imports ${specifier}, which does not exist`);
    return found;
  });
}

/** One cycle of the graph as a path, or null. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

test("a cycle is found", () => {
  deepEqual(
    findCycle(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
    ["b", "c", "b"],
  );
  deepEqual(
    findCycle(
      new Map([
        ["a", ["b", "c"]],
        ["b", ["c"]],
        ["c", []],
      ]),
    ),
    null,
  );
});

test("no module imports itself through others", () => {
  deepEqual(findCycle(new Map(sources.map((path) => [path, importsOf(path)]))), null);
});

test("folders import only from folders below them", () => {
  const layerOf = (path: string) => LAYERS.indexOf(path.split("/")[0] ?? "");
  const upwards = sources
    .filter((path) => path.includes("/"))
    .flatMap((path) => importsOf(path).map((target) => [path, target] as const))
    .filter(([path, target]) => layerOf(target) > layerOf(path));
  deepEqual(upwards, []);
});

test("pages do not import from one another in a circle", () => {
  const folders = new Map<string, string[]>();
  for (const path of sources.filter((one) => one.startsWith("pages/"))) {
    const folder = path.split("/")[1] ?? "";
    const others = importsOf(path)
      .filter((target) => target.startsWith("pages/"))
      .map((target) => target.split("/")[1] ?? "")
      .filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  deepEqual(findCycle(folders), null);
});

test("the styles of a page are below its own class", () => {
  // A folder of dialogs alone has no styles of its own.
  const pages = readdirSync(join(SOURCE, "pages")).filter((page) => existsSync(join(SOURCE, "styles", `${page}.css`)));
  deepEqual(pages.length > 5, true);
  for (const page of pages) {
    const rules = read(`styles/${page}.css`).replaceAll(/\/\*[\s\S]*?\*\//g, "");
    const outer = rules
      .replaceAll(/^ .*$/gm, "")
      .trim()
      .split(/\n+/)
      .filter((line) => line !== "}");
    deepEqual(outer, [`.page-${page} {`]);
  }
});

test("texts are in plain words", () => {
  const odd = /\b(told|meanwhile|whoever|somebody|in work|forth|afresh|taken back|hits?)\b/i;
  const found = files
    .filter((path) => path.endsWith("words.ts"))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .filter((line) => odd.test(line.replace(/^\s*\w+:/, ""))),
    );
  deepEqual(found, []);
});
