// A button that opens a short list of links or buttons below it. It closes after a choice, by Escape and by a click elsewhere.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface Props {
  label: string;
  icon?: IconName;
  /** Shows only the icon; the label becomes its accessible name. */
  isIconOnly?: boolean;
  /** Marks the button, because something in the menu is turned on. */
  isOn?: boolean;
  children: ComponentChildren;
}

export function Menu({ label, icon, isIconOnly = false, isOn = false, children }: Props) {
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
      <summary
        class={`button ${isIconOnly ? "quiet icon-only" : ""} ${isOn ? "on" : ""}`}
        {...(isIconOnly && { "aria-label": label, title: label })}
      >
        {icon && <Icon name={icon} />}
        {!isIconOnly && label}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the choices in it are buttons and links; it only closes after them. */}
      <div onClick={close}>{children}</div>
    </details>
  );
}
