// Toolbar for the selected videos.

import type { VideoAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { useTeamWords } from "../teams/words";
import { useLibraryWords } from "./library_words";

interface Props {
  selected: VideoAnswer[];
  isAll: boolean;
  toggleAll: () => void;
  addTo: () => void;
  addTags: () => void;
  trash: () => void;
  /** Null where there is no team to move them to. */
  move: (() => void) | null;
  /** Null outside of a collection. */
  removeFrom: (() => void) | null;
  clear: () => void;
}

export function SelectionBar(props: Props) {
  const words = useLibraryWords();
  const teamWords = useTeamWords();
  const canChange = props.selected.every((item) => item.canChange);
  return (
    <div class="bulk-bar" role="group" aria-label={words.selected(props.selected.length)}>
      <label class="line">
        <input type="checkbox" checked={props.isAll} onChange={props.toggleAll} aria-label={words.selectAll} />
        <span role="status">{words.selected(props.selected.length)}</span>
      </label>
      <Button icon="collection" onClick={props.addTo}>
        {words.addTo}
      </Button>
      {props.removeFrom !== null && (
        <Button icon="cross" onClick={props.removeFrom}>
          {words.removeFrom}
        </Button>
      )}
      {canChange && props.move !== null && (
        <Button icon="people" onClick={props.move}>
          {teamWords.move}
        </Button>
      )}
      {canChange && (
        <Button icon="tag" onClick={props.addTags}>
          {words.addTags}
        </Button>
      )}
      {canChange && (
        <Button icon="trash" kind="danger" onClick={props.trash}>
          {words.remove}
        </Button>
      )}
      <Button kind="quiet" icon="cross" iconOnly onClick={props.clear}>
        {words.clearSelection}
      </Button>
    </div>
  );
}
