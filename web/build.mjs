// Builds the page into the Python package. Hashed file names may be cached forever; only index.html changes in place.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

const icon = await readFile(join(here, "src/icon.svg"), "utf8");
await writeFile(join(out, "assets", "icon.svg"), icon);
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

// Compresses each file once, instead of on every request.
for (const name of await readdir(join(out, "assets"))) {
  const content = await readFile(join(out, "assets", name));
  await writeFile(join(out, "assets", `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}

function nameOf(result, entry) {
  const found = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint?.endsWith(`/${entry}`));
  return basename(found[0]);
}
