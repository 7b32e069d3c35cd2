// The dead letters of a queue: why each died, and another chance for one, some or all of them.

import { useEffect, useRef } from "preact/hooks";
import { get } from "../../api/client";
import type { DeadLetterAnswer, DeadLettersAnswer } from "../../api/types";
import { usePaged } from "../../app/pages_list";
import { Link, ROOT, navigate } from "../../app/router";
import { useIsAtLeast } from "../../app/width";
import { Empty, ErrorNote, Loading } from "../../ui/basics";
import { Beside, WIDE_PX } from "../../ui/beside";
import { Icon } from "../../ui/icons";
import { LongList } from "../../ui/long_list";
import { useQueueLabel } from "../../ui/queue_name";
import { LetterBar, LetterQuestions, useLetterActions } from "./letter_actions";
import { LetterDetail } from "./letter_detail";
import { LetterRow } from "./letter_row";
import { useQueueWords } from "./queue_words";
import { type Queues, lettersPath } from "./queues";
import { useRows } from "./rows";

const ROW_PX = 70;
const PAGE = 100;

interface Props {
  queue: string;
  letterId: string | null;
  queues: Queues;
  changed: () => void;
}

export function DeadLetters({ queue, letterId, queues, changed }: Props) {
  const words = useQueueWords();
  const labelOf = useQueueLabel();
  const isWide = useIsAtLeast(WIDE_PX);
  const home = `${ROOT}/jobs/queues/${encodeURIComponent(queue)}`;
  const list = usePaged<DeadLetterAnswer>(queue, async (after, signal) => {
    const answer = await get<DeadLettersAnswer>(lettersPath(queue), { query: { limit: PAGE, after }, signal });
    return { rows: answer.dead_letters, next: answer.next };
  });
  const { rows } = list;
  const actions = useLetterActions(queue, (gone) => {
    selection.clear();
    const left = new Set(gone);
    list.set((shown) => shown.filter((letter) => !left.has(letter.message_id)));
    list.reload();
    changed();
    if (letterId !== null) navigate(home, { keepScroll: isWide });
  });
  const selection = useRows(queue, rows.map((letter) => letter.message_id), letterId, {
    open: (id) => navigate(`${home}/${id}`, { keepScroll: isWide, replace: letterId !== null }),
    retry: actions.redrive,
    close: () => navigate(letterId === null ? `${ROOT}/jobs/queues` : home, { keepScroll: isWide }),
    canSelect: () => true,
  });

  // The queues are asked for all the time; the list when the number of the dead has changed.
  const dead = queues.value?.find((one) => [one.queue, one.dead_letter_queue].includes(queue))?.dead_letters;
  const last = useRef(dead);
  useEffect(() => {
    if (last.current !== undefined && last.current !== dead) list.reload();
    last.current = dead;
  }, [dead]);

  return (
    <>
      <p class="crumb">
        <Link to={`${ROOT}/jobs/queues`}>
          <Icon name="back" /> {words.backToQueues}
        </Link>
      </p>
      <h2 class="queue-name">{words.letters(labelOf(queue) ?? queue)}</h2>
      <Beside
        label={words.detail}
        back={home}
        openedKey={letterId}
        opened={letterId === null ? null : <LetterDetail key={letterId} queue={queue} id={letterId} actions={actions} />}
        list={
          <>
            <p class="soft">{words.lettersText}</p>
            <LetterBar selected={[...selection.selected]} total={dead ?? rows.length} clear={selection.clear} actions={actions} />
            {list.error && <ErrorNote error={list.error} again={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isWhole && (
              <Empty title={words.noLetters} icon="check">
                <p>{words.noLettersText}</p>
              </Empty>
            )}
            {rows.length > 0 && (
              <LongList
                rows={rows}
                height={ROW_PX}
                rowKey={(letter) => letter.message_id}
                label={words.list}
                more={list.more}
                current={selection.current}
              >
                {(letter, index) => (
                  <LetterRow
                    letter={letter}
                    address={`${home}/${letter.message_id}`}
                    keepScroll={isWide}
                    isCurrent={index === selection.current}
                    isOpened={letter.message_id === letterId}
                    isSelected={selection.selected.has(letter.message_id)}
                    select={() => selection.toggle(letter.message_id)}
                  />
                )}
              </LongList>
            )}
          </>
        }
      />
      <LetterQuestions actions={actions} />
    </>
  );
}
