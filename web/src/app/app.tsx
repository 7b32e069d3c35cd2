// The frame around every page: navigation, search, connection status and toasts.

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, type PageProps } from "../core/addresses";
import { Link, navigate, useLocation } from "../core/router";
import { useShortcuts } from "../core/shortcuts";
import { useStore } from "../core/store";
import { useOpenCriticals } from "../live/open_criticals";
import { eventStream } from "../live/streams";
import { Button, Empty, Loading } from "../ui/basics";
import { Icon } from "../ui/icons";
import { Toasts } from "../ui/toasts";
import { UploadDock } from "../ui/upload_dock";
import { useBadge, useBadges } from "./badges";
import { KeySheet } from "./key_sheet";
import { findRoute, ROUTES } from "./routes";
import { SearchBox } from "./search_box";
import { Settings } from "./settings";
import { SignIn } from "./sign_in";
import { useAppWords } from "./words";

export function App() {
  const words = useAppWords();
  const location = useLocation();
  const match = findRoute(location.path);
  const badges = useBadges();
  const [isKeySheetOpen, setIsKeySheetOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: "/", help: words.focusSearch, run: () => box.current?.focus() },
    { keys: "?", help: words.showKeys, run: () => setIsKeySheetOpen(true) },
    ...ROUTES.map((item) => ({
      keys: `g ${item.key}`,
      help: words.goTo(words[item.name]),
      run: () => navigate(addressOf(item.name)),
    })),
  ]);
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="bar">
        <Link class="brand" to="/" aria-label="Sightline">
          <img src="/ui/assets/icon.svg" alt="" width={26} height={26} />
          <span>Sightline</span>
        </Link>
        <nav aria-label={words.pages}>
          {ROUTES.map((item) => (
            <Link
              key={item.name}
              to={addressOf(item.name)}
              aria-label={badges[item.name]?.name ?? words[item.name]}
              title={badges[item.name]?.name ?? words[item.name]}
              aria-current={match?.route.name === item.name ? "page" : undefined}
            >
              <Icon name={item.icon} />
              <span>{words[item.name]}</span>
              {badges[item.name] && <b class="nav-count" data-count={badges[item.name]?.text} />}
            </Link>
          ))}
        </nav>
        <SearchBox box={box} />
        <ConnectionState />
        <Settings />
        <Button icon="help" kind="quiet" iconOnly onClick={() => setIsKeySheetOpen(true)}>
          {words.keys}
        </Button>
      </header>
      <main id="main" tabIndex={-1}>
        {match === null ? (
          <Empty title={words.notFound} icon="search">
            <p>{words.notFoundText}</p>
            <Link class="button primary" to="/">
              {words.toVideos}
            </Link>
          </Empty>
        ) : (
          <div class={`page-${match.page}`} key={match.page === "video" ? match.rest : match.page}>
            <Page load={match.load} rest={match.rest} />
          </div>
        )}
      </main>
      <Toasts />
      <UploadDock />
      {isKeySheetOpen && <KeySheet close={() => setIsKeySheetOpen(false)} />}
      <SignIn />
    </>
  );
}

function Page({ load, rest }: PageProps & { load: () => Promise<{ default: ComponentType<PageProps> }> }) {
  const words = useAppWords();
  const [Shown, setShown] = useState<ComponentType<PageProps> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    load().then(
      (module) => setShown(() => module.default),
      () => setHasFailed(true),
    );
  }, [load]);
  if (hasFailed) {
    return (
      <Empty title={words.newer} icon="retry">
        <Button kind="primary" onClick={() => window.location.reload()}>
          {words.reload}
        </Button>
      </Empty>
    );
  }
  return Shown === null ? <Loading /> : <Shown rest={rest} />;
}

function ConnectionState() {
  const words = useAppWords();
  const state = useStore(eventStream.connection);
  useEffect(() => eventStream.subscribe({ message: () => {}, gap: () => {} }), []);
  const { events, isMore } = useOpenCriticals();
  const text = events.length === 0 ? "" : `${events.length}${isMore ? "+" : ""}`;
  useBadge("events", text === "" ? null : { text, name: `${words.events} ${words.openCriticals(text)}` });
  return (
    <span class={`connection ${state}`} role="status" title={words[state]}>
      <span class="dot" />
      <span class="word">{words[state]}</span>
    </span>
  );
}
