// German. A text that is missing here is shown in English, and fails a test.

import type { Dictionary } from "../../core/language";
import * as cameras from "./cameras";
import * as find from "./find";
import * as frame from "./frame";
import * as watch from "./watch";

export const de: Dictionary = { ...cameras, ...find, ...frame, ...watch };
