// Links to the pages: what everybody uses in the bar, what operators use one level below "Operate".

import { useMe } from "../api/use_me";
import { addressOf, type PageName } from "../core/addresses";
import { Link } from "../core/router";
import { Icon } from "../ui/icons";
import { useBadges } from "./badges";
import { routesIn } from "./routes";
import { useAppWords } from "./words";

interface Current {
  name: PageName;
  place: string;
}

export function Navigation({ current }: { current: Current | null }) {
  const words = useAppWords();
  const badges = useBadges();
  const isOperator = useMe().value?.is_operator ?? true; // most installations have one person
  return (
    <nav aria-label={words.pages}>
      {routesIn("bar").map((item) => {
        const name = badges[item.name]?.name ?? words[item.name];
        return (
          <Link
            key={item.name}
            to={addressOf(item.name)}
            aria-label={name}
            title={name}
            aria-current={current?.name === item.name ? "page" : undefined}
          >
            <Icon name={item.icon} />
            <span>{words[item.name]}</span>
            {badges[item.name] && <b class="nav-count" data-count={badges[item.name]?.text} />}
          </Link>
        );
      })}
      {isOperator && (
        <Link
          to={addressOf("overview")}
          aria-label={words.operate}
          title={words.operate}
          aria-current={current?.place === "operate" ? "true" : undefined}
        >
          <Icon name="operate" />
          <span>{words.operate}</span>
        </Link>
      )}
    </nav>
  );
}

export function OperateNavigation({ current }: { current: Current }) {
  const words = useAppWords();
  return (
    <nav class="sub-nav" aria-label={words.operate}>
      {routesIn("operate").map((item) => (
        <Link key={item.name} to={addressOf(item.name)} aria-current={item.name === current.name ? "page" : undefined}>
          {item.name === "jobs" ? words.jobsAndQueues : words[item.name]}
        </Link>
      ))}
    </nav>
  );
}
