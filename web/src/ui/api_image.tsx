// An image of the API. With a token it is fetched and shown from memory, because an <img> sends no headers.

import { useEffect, useState } from "preact/hooks";
import { authorization } from "../api/client";
import { readToken } from "../core/session";

export function ApiImage({ src, alt = "" }: { src: string; alt?: string }) {
  const [shown, setShown] = useState<string | null>(readToken() === null ? src : null);
  useEffect(() => {
    if (readToken() === null) {
      setShown(src);
      return;
    }
    const abort = new AbortController();
    let address: string | null = null;
    fetch(src, { headers: authorization(), signal: abort.signal })
      .then((response) => (response.ok ? response.blob() : null))
      .then((blob) => {
        if (blob === null || abort.signal.aborted) return;
        address = URL.createObjectURL(blob);
        setShown(address);
      })
      .catch(() => undefined); // A missing image is not an error: the name is shown beside it.
    return () => {
      abort.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [src]);
  if (shown === null) return null;
  return <img src={shown} alt={alt} loading="lazy" onError={() => setShown(null)} />;
}
