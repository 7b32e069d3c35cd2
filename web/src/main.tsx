// Entry point of the page.

import { render } from "preact";
import { App } from "./app/app";
import { startLanguage } from "./core/language";
import { startServiceWorker } from "./core/service_worker";
import { DICTIONARIES } from "./languages/dictionaries";
import "./core/install_prompt";

const root = document.getElementById("app");
await startLanguage(DICTIONARIES);
if (root !== null) render(<App />, root);
void startServiceWorker();
