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

/** Returns the ETag of the store, without quotes. */
export function putPart(
  url: string,
  part: Blob,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.upload.onprogress = (event) => onSent(event.loaded);
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
    if (signal.aborted) return request.abort();
    // A typed blob would send a content-type header that is not signed.
    request.send(part.slice(0, part.size, ""));
  });
}
