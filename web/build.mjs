// Builds the page into the Python package. Hashed file names may be cached forever; only index.html changes in place.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, "..", "src", "sightline", "api", "page");

await rm(out, { recursive: true, force: true });
await mkdir(join(out, "assets"), { recursive: true });

const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: join(out, "assets"),
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

// The worker is built first, because the page needs its hashed name.
const worker = await build({
  ...common,
  entryPoints: [join(here, "src/upload/hash_worker.ts")],
  entryNames: "[name]-[hash]",
});
const page = await build({
  ...common,
  entryPoints: [
    { in: join(here, "src/main.tsx"), out: "main" },
    { in: join(here, "src/styles/main.css"), out: "main" },
    { in: join(here, "src/share/main.ts"), out: "share" },
    { in: join(here, "src/share/share.css"), out: "share" },
  ],
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  splitting: true,
  define: { HASH_WORKER: JSON.stringify(`/ui/assets/${nameOf(worker, "hash_worker.ts")}`) },
});

for (const name of ["icon.svg", "manifest.webmanifest"])
  await copyFile(join(here, "src", name), join(out, "assets", name));
for (const name of await readdir(join(here, "src/icons"))) {
  await copyFile(join(here, "src/icons", name), join(out, "assets", name));
}
const template = await readFile(join(here, "src/index.html"), "utf8");
await writeFile(
  join(out, "index.html"),
  template
    .replace("{{style}}", `/ui/assets/${nameOf(page, "main.css")}`)
    .replace("{{script}}", `/ui/assets/${nameOf(page, "main.tsx")}`),
);

// The page behind share links is a small one of its own.
const shared = await readFile(join(here, "src/share/share.html"), "utf8");
await writeFile(
  join(out, "share.html"),
  shared
    .replace("{{style}}", `/ui/assets/${nameOf(page, "share.css")}`)
    .replace("{{script}}", `/ui/assets/${nameOf(page, "share/main.ts")}`),
);

// The service worker keeps what every page needs. Its version is that of the files: any change makes a new worker.
const shell = shellOf(page);
await build({
  ...common,
  outdir: out,
  metafile: false,
  entryPoints: [join(here, "src/worker/service_worker.ts")],
  define: { SHELL_FILES: JSON.stringify(shell), SHELL_VERSION: JSON.stringify(versionOf(page)) },
});

// Compresses each file once, instead of on every request.
for (const name of await readdir(join(out, "assets"))) {
  if (name.endsWith(".png")) continue; // packed already
  const content = await readFile(join(out, "assets", name));
  await writeFile(join(out, "assets", `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}

function nameOf(result, entry) {
  const found = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint?.endsWith(`/${entry}`));
  return basename(found[0]);
}

/** The entry, its style, and what the entry imports without waiting. */
function shellOf(result) {
  const outputs = result.metafile.outputs;
  const found = new Set([nameOf(result, "main.css")]);
  const add = (path) => {
    if (found.has(basename(path))) return;
    found.add(basename(path));
    for (const item of outputs[path].imports) if (item.kind === "import-statement") add(item.path);
  };
  add(Object.keys(outputs).find((path) => outputs[path].entryPoint?.endsWith("/main.tsx")));
  return [...found].map((name) => `/ui/assets/${name}`);
}

function versionOf(result) {
  const names = Object.keys(result.metafile.outputs).map((path) => basename(path));
  return createHash("sha256").update(names.sort().join()).digest("hex").slice(0, 16);
}
