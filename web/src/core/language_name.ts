// Names of languages by the codes that the reader of text uses, in the language of the page.

import { locale } from "./locale";

const CODES: Record<string, string> = { chi_sim: "zh-Hans", chi_tra: "zh-Hant", uzb_cyrl: "uz-Cyrl" };

/** "Alemán" for `deu`; `otherwise` for codes that the browser has no name for. */
export function languageName(code: string, otherwise: string = code): string {
  try {
    const names = new Intl.DisplayNames([locale()], { type: "language", fallback: "none" });
    const name = names.of(CODES[code] ?? code);
    return name === undefined ? otherwise : name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
  } catch {
    return otherwise;
  }
}
