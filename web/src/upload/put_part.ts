// Uploads one part. XMLHttpRequest, because fetch does not report upload progress.

export class PutFailed extends Error {
  constructor(
    /** 0 means no response. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A connection on which nothing moves for so long is given up: a cut cable and a sleeping laptop send no error. */
const MAX_SILENCE_MS = 120_000;
/** When the network is back, connections from before rarely work. */
const MAX_SILENCE_ONLINE_MS = 3_000;

/** Returns the ETag of the store, without quotes. */
export function putPart(
  url: string,
  part: Blob,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const silence = new Silence(() => {
      reject(new PutFailed(0, "Can't reach the store"));
      request.abort();
    });
    request.open("PUT", url);
    request.upload.onprogress = (event) => {
      silence.end();
      onSent(event.loaded);
    };
    request.onloadend = () => silence.stop();
    request.onload = () => {
      if (request.status !== 200) {
        const reason = /<Message>([^<]*)/.exec(request.responseText)?.[1] ?? request.statusText;
        return reject(new PutFailed(request.status, reason));
      }
      const etag = request.getResponseHeader("ETag");
      if (etag === null)
        return reject(new PutFailed(200, "The store hides its ETag. Expose the ETag header in its CORS settings."));
      return resolve(etag.replaceAll('"', ""));
    };
    request.onerror = () => reject(new PutFailed(0, "Can't reach the store"));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) {
      silence.stop();
      return reject(signal.reason);
    }
    // A typed blob would send a content-type header that is not signed.
    request.send(part.slice(0, part.size, ""));
  });
}

/** Calls back when a connection has been silent for too long. */
class Silence {
  private since = performance.now();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tooLong: () => void) {
    addEventListener("online", this.onOnline);
    this.end();
  }

  /** Something moved. */
  end(): void {
    clearTimeout(this.timer);
    this.since = performance.now();
    this.timer = setTimeout(this.tooLong, MAX_SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    removeEventListener("online", this.onOnline);
  }

  private readonly onOnline = (): void => {
    if (performance.now() - this.since > MAX_SILENCE_ONLINE_MS) this.tooLong();
  };
}
