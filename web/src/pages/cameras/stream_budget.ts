// Which tiles may stream. A browser opens six connections to a server; streams would use them up and leave none for the rest.

import { useEffect } from "preact/hooks";
import { Store, useStore } from "../../core/store";
import type { FeedMode } from "./picture_feed";

/** Two windows with a wall each still leave connections for everything else. */
export const MAX_STREAMS = 2;

const tilesOnScreen = new Store<ReadonlySet<string>>(new Set());

/** Few tiles all stream. Of many, the one that is pointed at streams, and the others show a picture every second. */
export function modeOf(tileCount: number, isPointed: boolean): FeedMode {
  return tileCount <= MAX_STREAMS || isPointed ? "stream" : "stills";
}

/** How a tile gets its pictures, or null while nobody can see it. */
export function useFeedMode(tile: string, isOnScreen: boolean, isPointed: boolean): FeedMode | null {
  useEffect(() => {
    if (!isOnScreen) return;
    tilesOnScreen.update((tiles) => new Set([...tiles, tile]));
    return () => tilesOnScreen.update((tiles) => new Set([...tiles].filter((item) => item !== tile)));
  }, [tile, isOnScreen]);
  const tiles = useStore(tilesOnScreen);
  // A tile that is not counted yet waits, so that the first tiles of a large wall open no streams.
  return isOnScreen && tiles.has(tile) ? modeOf(tiles.size, isPointed) : null;
}
