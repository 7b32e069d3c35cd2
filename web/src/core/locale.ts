// The reader's form of the language of the page: British English has other dates and another clock than American English.

/** The first of the browser's languages that is one of the page's, otherwise the language of the page itself. */
export function locale(): string {
  const page = document.documentElement.lang;
  const language = page.slice(0, 2);
  const isForm = (tag: string) => tag.slice(0, 2).toLowerCase() === language && isValid(tag);
  return navigator.languages.find(isForm) ?? page;
}

/** Some browsers name the system's locale, such as "en-US@posix", which no formatter accepts. */
function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
