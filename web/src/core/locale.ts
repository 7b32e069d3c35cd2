// The reader's form of the language of the page: British English has other dates and another clock than American English.

/** The first of the browser's languages that is one of the page's, otherwise the language of the page itself. */
export function locale(): string {
  const page = document.documentElement.lang;
  const language = page.slice(0, 2);
  return navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? page;
}
