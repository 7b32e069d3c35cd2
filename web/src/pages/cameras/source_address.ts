// What can be read off a camera's address as it is typed. Pure.

type AddressKind = "stream" | "mjpeg" | "snapshot";

const SNAPSHOT = /\.(jpe?g|png)$|snapshot|snap\.cgi|\/image(\.cgi|\/jpeg)|\/still/i;
const MJPEG = /mjpe?g|action=stream|faststream|videostream\.cgi|video\.cgi/i;

function parse(address: string): URL | null {
  try {
    // Only the host of http addresses is taken apart by every browser.
    return new URL(address.trim().replace(/^(rtsps?|rtmps?):/i, "http:"));
  } catch {
    return null;
  }
}

/** Video streams may have any address; pictures over HTTP are told apart by common words in their paths. */
export function kindOf(address: string): AddressKind {
  const url = parse(address);
  if (url === null || !/^https?:/i.test(address.trim())) return "stream";
  const path = url.pathname + url.search;
  if (MJPEG.test(path)) return "mjpeg";
  return SNAPSHOT.test(url.pathname) ? "snapshot" : "stream";
}

/** The host without its domain, or the whole IP address: "frontdoor" of rtsp://frontdoor.lan/1. */
export function hostName(address: string): string {
  const host = parse(address)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return /^[\d.]+$|:/.test(host) ? host : (host.split(".")[0] ?? "");
}

export interface Credentials {
  address: string;
  username: string;
  password: string;
}

/** Takes user name and password out of an address that was pasted with them; null if there are none. */
export function takeCredentials(address: string): Credentials | null {
  const found = /^(\s*[a-z]+:\/\/)([^/?#]*)@(.*)$/is.exec(address);
  if (found === null) return null;
  const [, scheme = "", user = "", rest = ""] = found;
  const [name = "", ...password] = user.split(":");
  return { address: scheme + rest, username: decode(name), password: decode(password.join(":")) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A percent sign of a password that was not encoded.
  }
}
