// The search box of the frame: it suggests as one types, and opens the search page.

import type { Ref } from "preact";
import { useState } from "preact/hooks";
import { useMe } from "../api/use_me";
import { addressOf } from "../core/addresses";
import { rememberSearch } from "../core/recent_searches";
import { navigate } from "../core/router";
import { SearchInput } from "../ui/search_input";
import { useAppWords } from "./words";

export function SearchBox({ box }: { box: Ref<HTMLInputElement> }) {
  const words = useAppWords();
  const user = useMe().value?.user_id;
  const [text, setText] = useState("");
  const search = (q: string) => {
    if (q.trim() === "") return;
    if (user !== undefined) rememberSearch(user, q);
    navigate(`${addressOf("search")}?q=${encodeURIComponent(q.trim())}`);
  };
  return (
    <form
      class="search-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
    >
      <SearchInput
        text={text}
        label={words.searchAll}
        placeholder={words.searchAll}
        user={user}
        box={box}
        type={setText}
        choose={(q, isWhole) => {
          setText(q);
          if (isWhole) search(q);
        }}
      />
    </form>
  );
}
