// Where the page begins.

import { render } from "preact";
import { App } from "./app/app";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
