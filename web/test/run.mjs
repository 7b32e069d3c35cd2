// Bundles the tests with esbuild and runs them with node's test runner. Arguments choose files by name.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const names = (await readdir(here)).filter(
  (name) => name.endsWith(".test.ts") && (chosen.length === 0 || chosen.some((part) => name.includes(part))),
);
/** The module "every-word": importing it defines every set of texts of the page. */
const everyWord = {
  name: "every-word",
  setup(builder) {
    const source = join(here, "..", "src");
    builder.onResolve({ filter: /^every-word$/ }, () => ({ path: "every-word", namespace: "every-word" }));
    builder.onLoad({ filter: /./, namespace: "every-word" }, async () => {
      const paths = (await readdir(source, { recursive: true })).filter((path) => /\.tsx?$/.test(path));
      const texts = await Promise.all(paths.map((path) => readFile(join(source, path), "utf8")));
      const defining = paths.filter((_, n) => /= defineWords\(/.test(texts[n]));
      return {
        contents: defining.map((path) => `import ${JSON.stringify(`./${path}`)};`).join("\n"),
        resolveDir: source,
      };
    });
  },
};
// Below node_modules, where the packages that stay outside the bundles are found.
const out = await mkdtemp(join(here, "..", "node_modules", ".tests-"));
try {
  await build({
    entryPoints: names.map((name) => join(here, name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { HASH_WORKER: '"/hash_worker.js"', SOURCE: JSON.stringify(join(here, "..", "src")) },
    plugins: [everyWord],
    logLevel: "warning",
  });
  const files = names.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  process.exitCode = spawnSync(process.execPath, ["--test", ...options, ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
