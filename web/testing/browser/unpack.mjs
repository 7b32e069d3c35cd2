// Unpacks the browser below TMPDIR, with the libraries and fonts that a bare machine lacks. tests/browser.py runs it.
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

const libraries = new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"));

await Promise.all([chromium.executablePath(), inflate(fileURLToPath(libraries))]);
