// One small picture of a video at a time, cut from its sprite sheet.

import type { SpriteSheetAnswer } from "../api/types";

/** The number of the picture that shows this time. */
export function tileAt(sheet: SpriteSheetAnswer, ms: number): number {
  return Math.min(sheet.tiles - 1, Math.max(0, Math.floor(ms / sheet.intervalMs)));
}

/** Size and place of the sheet behind a frame that shows one picture, in per cent of the frame. */
export function placeOf(sheet: SpriteSheetAnswer, tile: number): { size: string; position: string } {
  const rows = Math.ceil(sheet.tiles / sheet.columns);
  const part = (at: number, of: number) => (of <= 1 ? 0 : (at / (of - 1)) * 100);
  const x = part(tile % sheet.columns, sheet.columns);
  const y = part(Math.floor(tile / sheet.columns), rows);
  return { size: `${sheet.columns * 100}% ${rows * 100}%`, position: `${x}% ${y}%` };
}

export const sheetAddress = (videoId: string, sheet: SpriteSheetAnswer): string =>
  `/videos/${videoId}/sprite.jpg?v=${encodeURIComponent(sheet.version)}`;

export function SpriteTile({ videoId, sheet, ms }: { videoId: string; sheet: SpriteSheetAnswer; ms: number }) {
  const { size, position } = placeOf(sheet, tileAt(sheet, ms));
  return (
    <span
      class="sprite-tile"
      aria-hidden="true"
      style={{
        aspectRatio: `${sheet.tileWidth} / ${sheet.tileHeight}`,
        backgroundImage: `url("${sheetAddress(videoId, sheet)}")`,
        backgroundSize: size,
        backgroundPosition: position,
      }}
    />
  );
}
