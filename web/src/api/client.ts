// Asks the API. Every failure is an ApiError that says what went wrong and whether asking again may help.

import { readToken, wantSignIn } from "../app/session";
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

  /** Nobody answered, or somebody who may answer differently later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export type Query = Record<string, string | number | boolean | null | undefined | string[]>;

export interface Ask {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

export const get = <T>(path: string, ask: Ask = {}): Promise<T> => call("GET", path, ask);
export const post = <T>(path: string, ask: Ask = {}): Promise<T> => call("POST", path, ask);
export const put = <T>(path: string, ask: Ask = {}): Promise<T> => call("PUT", path, ask);
export const patch = <T>(path: string, ask: Ask = {}): Promise<T> => call("PATCH", path, ask);
export const remove = (path: string, ask: Ask = {}): Promise<void> => call("DELETE", path, ask);

async function call<T>(method: string, path: string, { query, body, signal }: Ask): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", ...authorization() };
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(path + encodeQuery(query), {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "UNREACHABLE", "Can't reach the server. Check your connection and try again.");
  }
  if (answer.status === 204) return undefined as T;
  if (answer.ok) return (await answer.json()) as T;
  if (answer.status === 401) wantSignIn();
  throw await errorOf(answer);
}

export function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export function encodeQuery(query: Query = {}): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) found.append(name, String(one));
  }
  const text = found.toString();
  return text === "" ? "" : `?${text}`;
}

async function errorOf(answer: Response): Promise<ApiError> {
  try {
    const { error } = (await answer.json()) as ErrorAnswer;
    return new ApiError(answer.status, error.code, error.message, error.details);
  } catch {
    return new ApiError(answer.status, String(answer.status), answer.statusText || `HTTP ${answer.status}`);
  }
}
