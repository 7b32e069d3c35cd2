// Theatre mode: the video over the whole width, and what is beside it below. The browser remembers it.

import { useState } from "preact/hooks";
import { readStored, writeStored } from "../../../core/browser_storage";

export interface Theatre {
  isOn: boolean;
  toggle: () => void;
}

export function useTheatre(): Theatre {
  const [isOn, setIsOn] = useState(() => readStored("theatre") === "on");
  return {
    isOn,
    toggle: () => {
      writeStored("theatre", isOn ? null : "on");
      setIsOn(!isOn);
    },
  };
}
