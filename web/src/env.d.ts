/** The address of the worker that hashes, known when the page is built. */
declare const HASH_WORKER: string;

declare module "hls.js/light" {
  export { default } from "hls.js";
  export * from "hls.js";
}
