// Search by meaning: whether it is installed, the button "More like this", and the heading of what is similar in meaning.

import { get } from "../../api/client";
import type { MeaningAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { navigate, setQuery } from "../../core/router";
import { Button } from "../../ui/basics";
import { useMeaningWords } from "./meaning_words";

/** False while loading, so that nothing is offered that is not there. */
export function useHasMeaning(): boolean {
  const { value } = useData("meaning", (signal) => get<MeaningAnswer>("/api/meaning", { signal }));
  return value?.installed ?? false;
}

export function MoreLikeThis({ segmentId }: { segmentId: string }) {
  const words = useMeaningWords();
  const open = (event: Event) => {
    event.stopPropagation();
    navigate(`${addressOf("search")}?like=${segmentId}`);
  };
  return (
    <Button class="more-like-this" icon="copy" iconOnly onClick={open}>
      {words.moreLikeThis}
    </Button>
  );
}

export function SimilarHeading() {
  const words = useMeaningWords();
  return (
    <h2 class="of-video">
      <span>{words.similar}</span>
      <span class="soft number">{words.similarHint}</span>
    </h2>
  );
}

export function SimilarTo() {
  const words = useMeaningWords();
  return (
    <p class="line similar-to">
      {words.similarTo}
      <Button onClick={() => setQuery({ like: null })}>{words.back}</Button>
    </p>
  );
}
