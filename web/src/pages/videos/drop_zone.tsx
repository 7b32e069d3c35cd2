// Drop zone: files can be dropped anywhere on the page.

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icons";

export function DropZone({ onFiles, text }: { onFiles: (files: File[]) => void; text: string }) {
  const [isOver, setIsOver] = useState(false);
  const depth = useRef(0); // Entering a child fires a leave event on its parent, so the depth is counted.
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current += 1;
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setIsOver(false);
    };
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setIsOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, [onFiles]);
  if (!isOver) return null;
  return (
    <div class="drop-zone">
      <Icon name="upload" />
      <p>{text}</p>
    </div>
  );
}
