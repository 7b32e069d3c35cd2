// Spanish. A text that is missing here is shown in English, and fails a test.

import type { Dictionary } from "../../core/language";

export const es: Dictionary = {};
