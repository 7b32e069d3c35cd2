/** The URL of the hashing worker, set at build time. */
declare const HASH_WORKER: string;

declare module "hls.js/light" {
  export * from "hls.js";
  export { default } from "hls.js";
}
