// Dead letters of a queue: reasons, details, redrive and discard.

import { useEffect, useRef } from "preact/hooks";
import { get } from "../../api/client";
import type { DeadLetterAnswer, DeadLettersAnswer } from "../../api/types";
import { nextCursor, usePagedList } from "../../api/use_paged_list";
import { ROOT } from "../../core/addresses";
import { useMinWidth } from "../../core/element_size";
import { Link, navigate } from "../../core/router";
import { Empty, ErrorNote, Loading } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { useQueueLabel } from "../../ui/queue_name";
import { SPLIT_MIN_WIDTH_PX, SplitView } from "../../ui/split_view";
import { VirtualList } from "../../ui/virtual_list";
import { DeadLetterDialogs, DeadLetterToolbar, useDeadLetterActions } from "./dead_letter_actions";
import { DeadLetterDetail } from "./dead_letter_detail";
import { DeadLetterRow } from "./dead_letter_row";
import { useQueueWords } from "./queue_words";
import { deadLettersPath, type Queues } from "./queues";
import { useRowSelection } from "./row_selection";

const ROW_PX = 70;
const PAGE_SIZE = 100;

interface Props {
  queue: string;
  letterId: string | null;
  queues: Queues;
  changed: () => void;
}

export function DeadLetters({ queue, letterId, queues, changed }: Props) {
  const words = useQueueWords();
  const labelOf = useQueueLabel();
  const isWide = useMinWidth(SPLIT_MIN_WIDTH_PX);
  const home = `${ROOT}/jobs/queues/${encodeURIComponent(queue)}`;
  const list = usePagedList<DeadLetterAnswer>(queue, async (after, signal) => {
    const answer = await get<DeadLettersAnswer>(deadLettersPath(queue), { query: { limit: PAGE_SIZE, after }, signal });
    return { rows: answer.dead_letters, next: nextCursor(answer) };
  });
  const { rows } = list;
  const actions = useDeadLetterActions(queue, (gone) => {
    selection.clear();
    const left = new Set(gone);
    list.set((shown) => shown.filter((letter) => !left.has(letter.message_id)));
    list.reload();
    changed();
    if (letterId !== null) navigate(home, { keepScroll: isWide });
  });
  const selection = useRowSelection(
    queue,
    rows.map((letter) => letter.message_id),
    letterId,
    {
      open: (id) => navigate(`${home}/${id}`, { keepScroll: isWide, replace: letterId !== null }),
      retry: actions.redrive,
      close: () => navigate(letterId === null ? `${ROOT}/jobs/queues` : home, { keepScroll: isWide }),
      canSelect: () => true,
    },
  );

  // The queues refresh regularly; the list reloads when their dead-letter count changes.
  const dead = queues.value?.find((item) => [item.queue, item.dead_letter_queue].includes(queue))?.dead_letters;
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
      <SplitView
        label={words.detail}
        back={home}
        openedKey={letterId}
        opened={
          letterId === null ? null : <DeadLetterDetail key={letterId} queue={queue} id={letterId} actions={actions} />
        }
        list={
          <>
            <p class="soft">{words.lettersText}</p>
            <DeadLetterToolbar
              selected={[...selection.selected]}
              total={dead ?? rows.length}
              clear={selection.clear}
              actions={actions}
            />
            {list.error && <ErrorNote error={list.error} retry={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isComplete && (
              <Empty title={words.noLetters} icon="check">
                <p>{words.noLettersText}</p>
              </Empty>
            )}
            {rows.length > 0 && (
              <VirtualList
                rows={rows}
                height={ROW_PX}
                rowKey={(letter) => letter.message_id}
                label={words.list}
                loadMore={list.loadMore}
                current={selection.current}
              >
                {(letter, index) => (
                  <DeadLetterRow
                    letter={letter}
                    address={`${home}/${letter.message_id}`}
                    keepScroll={isWide}
                    isCurrent={index === selection.current}
                    isOpened={letter.message_id === letterId}
                    isSelected={selection.selected.has(letter.message_id)}
                    select={() => selection.toggle(letter.message_id)}
                  />
                )}
              </VirtualList>
            )}
          </>
        }
      />
      <DeadLetterDialogs actions={actions} />
    </>
  );
}
