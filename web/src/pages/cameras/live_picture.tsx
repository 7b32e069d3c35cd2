// The newest picture of a camera, kept up to date while it is followed.

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icons";
import { type FeedMode, followPictures } from "./picture_feed";

interface Props {
  cameraId: string;
  /** Null: the picture stays as it is, and no request is made. */
  mode: FeedMode | null;
  alt: string;
  /** A new value starts the feed again, for instance when the camera is back. */
  feedKey?: string;
  /** The proportions of the picture, once it is known. */
  sized?: (width: number, height: number) => void;
}

export const cameraPath = (cameraId: string): string => `/api/cameras/${encodeURIComponent(cameraId)}`;

export function LivePicture({ cameraId, mode, alt, feedKey = "", sized }: Props) {
  const image = useRef<HTMLImageElement>(null);
  const [hasPicture, setHasPicture] = useState(false);
  useEffect(() => {
    if (mode === null) return;
    const abort = new AbortController();
    const show = (picture: Blob) => {
      if (image.current === null || abort.signal.aborted) return;
      const old = image.current.src;
      image.current.src = URL.createObjectURL(picture);
      URL.revokeObjectURL(old);
      setHasPicture(true);
    };
    void followPictures(cameraPath(cameraId), mode, show, abort.signal);
    return () => abort.abort();
  }, [cameraId, mode, feedKey]);
  useEffect(() => {
    const shown = image.current;
    return () => URL.revokeObjectURL(shown?.src ?? "");
  }, []);
  return (
    <>
      <img
        ref={image}
        class="live-picture"
        hidden={!hasPicture}
        alt={alt}
        onLoad={({ currentTarget: shown }) => sized?.(shown.naturalWidth, shown.naturalHeight)}
      />
      {!hasPicture && <Icon name="camera" />}
    </>
  );
}
