// An image of the API. A missing image is not an error: the name is shown beside it.

import { useEffect, useState } from "preact/hooks";

export function ApiImage({ src, alt = "" }: { src: string; alt?: string }) {
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => setIsMissing(false), [src]);
  if (isMissing) return null;
  return <img src={src} alt={alt} loading="lazy" onError={() => setIsMissing(true)} />;
}
