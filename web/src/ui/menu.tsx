// A button that opens a short list of links or buttons below it. It closes after a choice, by Escape and by a click elsewhere.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface Props {
  label: string;
  icon?: IconName;
  children: ComponentChildren;
}

export function Menu({ label, icon, children }: Props) {
  const frame = useRef<HTMLDetailsElement>(null);
  const close = () => frame.current?.removeAttribute("open");
  return (
    <details
      ref={frame}
      class="menu"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || frame.current?.open !== true) return;
        event.stopPropagation();
        close();
        frame.current.querySelector("summary")?.focus();
      }}
    >
      <summary class="button">
        {icon && <Icon name={icon} />}
        {label}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the choices in it are buttons and links; it only closes after them. */}
      <div onClick={close}>{children}</div>
    </details>
  );
}
