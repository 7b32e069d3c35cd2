// The frame around every page: where one can go, search, the state of the connection, and what was said last.

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useOpenCriticals } from "../live/open_criticals";
import { eventStream } from "../live/streams";
import { Button, Empty, Loading } from "../ui/basics";
import { Icon } from "../ui/icons";
import { Toasts } from "../ui/toasts";
import { useBadge, useBadges } from "./badges";
import { KeySheet } from "./key_sheet";
import { useShortcuts } from "./keys";
import { Link, ROOT, navigate, usePlace } from "./router";
import { ROUTES, type PageProps, addressOf, find } from "./routes";
import { Settings } from "./settings";
import { SignIn } from "./sign_in";
import { useStore } from "./store";
import { useAppWords } from "./words";

export function App() {
  const words = useAppWords();
  const place = usePlace();
  const found = find(place.path);
  const badges = useBadges();
  const [showsKeys, setShowsKeys] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: "/", help: words.focusSearch, run: () => box.current?.focus() },
    { keys: "?", help: words.showKeys, run: () => setShowsKeys(true) },
    ...ROUTES.map((one) => ({
      keys: `g ${one.key}`,
      help: words.goTo(words[one.name]),
      run: () => navigate(addressOf(one.name)),
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
          {ROUTES.map((one) => (
            <Link
              key={one.name}
              to={addressOf(one.name)}
              aria-label={badges[one.name]?.name ?? words[one.name]}
              title={badges[one.name]?.name ?? words[one.name]}
              aria-current={found?.route.name === one.name ? "page" : undefined}
            >
              <Icon name={one.icon} />
              <span>{words[one.name]}</span>
              {badges[one.name] && <b class="nav-count" data-count={badges[one.name]?.text} />}
            </Link>
          ))}
        </nav>
        <form
          class="search-box"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            const text = box.current?.value.trim() ?? "";
            if (text !== "") navigate(`${ROOT}/search?q=${encodeURIComponent(text)}`);
          }}
        >
          <Icon name="search" />
          <input ref={box} type="search" placeholder={words.searchAll} aria-label={words.searchAll} aria-keyshortcuts="/" />
        </form>
        <ConnectionState />
        <Settings />
        <Button icon="help" kind="quiet" iconOnly onClick={() => setShowsKeys(true)}>
          {words.keys}
        </Button>
      </header>
      <main id="main" tabIndex={-1}>
        {found === null ? (
          <Empty title={words.notFound} icon="search">
            <p>{words.notFoundText}</p>
            <Link class="button primary" to="/">
              {words.toVideos}
            </Link>
          </Empty>
        ) : (
          <Page key={found.route.name} load={found.route.load} rest={found.rest} />
        )}
      </main>
      <Toasts />
      {showsKeys && <KeySheet close={() => setShowsKeys(false)} />}
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
        <Button kind="primary" onClick={() => location.reload()}>
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
  useEffect(() => eventStream.follow({ message: () => {}, gap: () => {} }), []);
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
