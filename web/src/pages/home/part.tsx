// One part of the home page: a heading with a link to everything of the kind, and its cards.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Link } from "../../core/router";

interface Props {
  title: string;
  to: string;
  all: string;
  children: ComponentChildren;
}

export function Part({ title, to, all, children }: Props) {
  const id = useId();
  return (
    <section class="home-part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <Link to={to}>{all}</Link>
      </header>
      {children}
    </section>
  );
}
