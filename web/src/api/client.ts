// HTTP client of the API. Every failure is an ApiError that says what went wrong and whether a retry may help.

import { readCsrfToken, requireSignIn } from "../core/session";
import type { ErrorAnswer } from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** No response, or an error that may be gone on the next attempt. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status === 429 || (this.status >= 500 && this.status !== 507);
  }
}

export type Query = Record<string, string | number | boolean | null | undefined | string[]>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** Sent as it is, with its own type, instead of `body`. */
  file?: Blob;
  signal?: AbortSignal;
  /** A request without a response for so long counts as unreachable. */
  timeoutMs?: number;
}

export const get = <T>(path: string, options: RequestOptions = {}): Promise<T> => call("GET", path, options);
export const post = <T>(path: string, options: RequestOptions = {}): Promise<T> => call("POST", path, options);
export const put = <T>(path: string, options: RequestOptions = {}): Promise<T> => call("PUT", path, options);
export const patch = <T>(path: string, options: RequestOptions = {}): Promise<T> => call("PATCH", path, options);
export const remove = <T = void>(path: string, options: RequestOptions = {}): Promise<T> =>
  call("DELETE", path, options);

async function call<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const { query, body, file, signal, timeoutMs } = options;
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file !== undefined) headers["content-type"] = file.type;
  const csrf = method === "GET" ? null : readCsrfToken();
  if (csrf !== null) headers["x-csrf-token"] = csrf;
  let response: Response;
  try {
    response = await fetch(path + encodeQuery(query), {
      method,
      headers,
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: ending(signal, timeoutMs),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "UNREACHABLE", "Can't reach the server. Check your connection and try again.");
  }
  if (response.status === 204) return undefined as T;
  if (response.ok) return (await response.json()) as T;
  if (response.status === 401) requireSignIn();
  throw await errorOf(response);
}

function ending(signal: AbortSignal | undefined, timeoutMs: number | undefined): AbortSignal | null {
  if (timeoutMs === undefined) return signal ?? null;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

export function encodeQuery(query: Query = {}): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const item of Array.isArray(value) ? value : [value]) found.append(name, String(item));
  }
  const text = found.toString();
  return text === "" ? "" : `?${text}`;
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    return new ApiError(response.status, error.code, error.message, error.details);
  } catch {
    return new ApiError(response.status, String(response.status), response.statusText || `HTTP ${response.status}`);
  }
}
