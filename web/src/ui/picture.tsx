// A picture of the API. Where one signs in, a plain <img> could not say who is asking; then it is fetched and shown from memory.

import { useEffect, useState } from "preact/hooks";
import { authorization } from "../api/client";
import { readToken } from "../app/session";

export function Picture({ src, alt = "" }: { src: string; alt?: string }) {
  const [shown, setShown] = useState<string | null>(readToken() === null ? src : null);
  useEffect(() => {
    if (readToken() === null) {
      setShown(src);
      return;
    }
    const abort = new AbortController();
    let address: string | null = null;
    fetch(src, { headers: authorization(), signal: abort.signal })
      .then((answer) => (answer.ok ? answer.blob() : null))
      .then((blob) => {
        if (blob === null || abort.signal.aborted) return;
        address = URL.createObjectURL(blob);
        setShown(address);
      })
      .catch(() => undefined); // no picture is no failure: the name stands beside it
    return () => {
      abort.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [src]);
  if (shown === null) return null;
  return <img src={shown} alt={alt} loading="lazy" onError={() => setShown(null)} />;
}
