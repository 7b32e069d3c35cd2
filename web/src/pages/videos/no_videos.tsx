// What an empty library or collection says: how to get the first video.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { Link } from "../../core/router";
import { Button, Empty } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { useLibraryWords } from "./library_words";
import { useVideoWords } from "./words";

export function NoVideos({ isInCollection, made }: { isInCollection: boolean; made: () => void }) {
  const words = useVideoWords();
  const library = useLibraryWords();
  const [isMaking, setIsMaking] = useState(false);
  if (isInCollection) {
    return (
      <Empty title={library.emptyCollection} picture="collections">
        <p>{library.emptyCollectionText}</p>
        <Link class="button primary" to="/ui/videos">
          {library.toLibrary}
        </Link>
      </Empty>
    );
  }
  const make = async () => {
    setIsMaking(true);
    try {
      await post("/api/sample-video");
      notify(words.sampleMade);
      made();
    } catch (error) {
      notifyError(error);
    } finally {
      setIsMaking(false);
    }
  };
  return (
    <Empty title={words.none} picture="videos">
      <p>{words.dropAnywhere}</p>
      <Button kind="primary" icon="play" disabled={isMaking} onClick={make}>
        {isMaking ? words.sampleMaking : words.sample}
      </Button>
      <p>
        {words.curl} <code>sightline upload talk.mp4</code>
      </p>
    </Empty>
  );
}
