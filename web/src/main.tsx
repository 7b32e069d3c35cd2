// Entry point of the page.

import { render } from "preact";
import { App } from "./app/app";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
