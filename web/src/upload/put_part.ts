// Sends one part to the store. XMLHttpRequest, because fetch does not tell how much has been sent.

export class PutFailed extends Error {
  constructor(
    /** 0: nobody answered. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The ETag that the store answers, without quotes. */
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
      if (etag === null) return reject(new PutFailed(200, "the store does not show its ETag (CORS: expose ETag)"));
      return resolve(etag.replaceAll('"', ""));
    };
    request.onerror = () => reject(new PutFailed(0, "the store cannot be reached"));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) return request.abort();
    // A blob of a type would send a header that nobody has signed.
    request.send(part.slice(0, part.size, ""));
  });
}
