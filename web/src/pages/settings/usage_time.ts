import { duration } from "../../core/format";

/** Zero is no number of milliseconds here. */
export const time = (seconds: number): string => (seconds > 0 ? duration(seconds) : "0 min");
