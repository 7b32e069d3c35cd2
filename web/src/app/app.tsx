// The frame around every page: navigation, search, connection status and toasts.

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, type PageProps } from "../core/addresses";
import { Link, navigate, useLocation } from "../core/router";
import { PALETTE_KEYS, useShortcuts } from "../core/shortcuts";
import { Button, Empty, Loading } from "../ui/basics";
import { Icon } from "../ui/icons";
import { Toasts } from "../ui/toasts";
import { UploadDock } from "../ui/upload_dock";
import { ConnectionState } from "./connection_state";
import { KeySheet } from "./key_sheet";
import { Navigation, OperateNavigation } from "./navigation";
import { findRoute, ROUTES } from "./routes";
import { SearchBox } from "./search_box";
import { SignIn } from "./sign_in";
import { useAppWords } from "./words";

type Shown = "keys" | "palette" | null;
type PaletteProps = { close: () => void; showKeys: () => void };

export function App() {
  const words = useAppWords();
  const location = useLocation();
  const match = findRoute(location.path);
  const [shown, setShown] = useState<Shown>(null);
  const box = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: "/", help: words.focusSearch, run: () => box.current?.focus() },
    {
      keys: PALETTE_KEYS,
      help: words.openPalette,
      run: () =>
        setShown((old) => (old === "palette" ? null : document.querySelector("dialog[open]") ? old : "palette")),
    },
    { keys: "?", help: words.showKeys, run: () => setShown("keys") },
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
        <Navigation current={match?.route ?? null} />
        <SearchBox box={box} />
        <ConnectionState />
        <Button icon="menu" kind="quiet" iconOnly aria-keyshortcuts="Control+K" onClick={() => setShown("palette")}>
          {words.openPalette}
        </Button>
        <Link
          class="button quiet icon-only"
          to={addressOf("settings")}
          aria-label={words.settings}
          title={words.settings}
          aria-current={match?.route.name === "settings" ? "page" : undefined}
        >
          <Icon name="settings" />
        </Link>
        <Button icon="help" kind="quiet" iconOnly class="key-help" onClick={() => setShown("keys")}>
          {words.keys}
        </Button>
      </header>
      {match?.route.place === "operate" && <OperateNavigation current={match.route} />}
      <main id="main" tabIndex={-1}>
        {match === null ? (
          <Empty title={words.notFound} icon="search">
            <p>{words.notFoundText}</p>
            <Link class="button primary" to="/">
              {words.toHome}
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
      {shown === "keys" && <KeySheet close={() => setShown(null)} />}
      {shown === "palette" && <Palette close={() => setShown(null)} showKeys={() => setShown("keys")} />}
      <SignIn />
    </>
  );
}

/** Loaded when it is first opened: a first visit need not bring it. */
function Palette(props: PaletteProps) {
  const [Loaded, setLoaded] = useState<ComponentType<PaletteProps> | null>(null);
  useEffect(() => {
    import("./palette").then(
      (module) => setLoaded(() => module.Palette),
      () => props.close(),
    );
  }, []);
  return Loaded === null ? null : <Loaded {...props} />;
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
