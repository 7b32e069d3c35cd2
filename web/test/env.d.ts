/** The folder of the page's sources, set when the tests are bundled. */
declare const SOURCE: string;
