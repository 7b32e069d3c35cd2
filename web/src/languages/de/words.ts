// German. A text that is missing here is shown in English, and fails a test.

import type { Dictionary } from "../../core/language";
import * as cameras from "./cameras";
import * as errors from "./errors";
import * as find from "./find";
import * as frame from "./frame";
import * as library from "./library";
import * as messages from "./messages";
import * as operate from "./operate";
import * as setup from "./setup";
import * as teams from "./teams";
import * as techniques from "./techniques";
import * as usage from "./usage";
import * as watch from "./watch";

export const de: Dictionary = {
  ...cameras,
  ...errors,
  ...find,
  ...frame,
  ...library,
  ...messages,
  ...operate,
  ...setup,
  ...teams,
  ...techniques,
  ...usage,
  ...watch,
};
