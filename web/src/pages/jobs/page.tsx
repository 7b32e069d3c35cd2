// Jobs page: jobs, queues with dead letters, and history. For operators.

import type { ComponentChildren } from "preact";
import { useMe } from "../../api/use_me";
import { addressOf, type PageProps, ROOT } from "../../core/addresses";
import { Link, navigate } from "../../core/router";
import { Empty, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { Tabs } from "../../ui/tabs";
import { useCounts } from "./counts";
import { HistoryTab } from "./history_tab";
import { JobDetail } from "./job_detail";
import { JobsTab } from "./jobs_tab";
import { useQueues } from "./queues";
import { QueuesTab } from "./queues_tab";
import { useJobWords } from "./words";

type Part = "jobs" | "queues" | "numbers";

export default function JobsPage({ rest }: PageProps) {
  const words = useJobWords();
  const me = useMe();
  if (me.error)
    return (
      <Framed>
        <ErrorNote error={me.error} retry={me.reload} />
      </Framed>
    );
  if (me.value === undefined)
    return (
      <Framed>
        <Loading />
      </Framed>
    );
  if (me.value.is_operator) return <ForOperators rest={rest} />;
  if (rest !== "")
    return (
      <Framed>
        <JobDetail id={rest} isOperator={false} changed={() => {}} />
      </Framed>
    );
  return (
    <Framed>
      <Empty title={words.forOperators} icon="job">
        <p>{words.forOperatorsText}</p>
        <Link class="button primary" to={addressOf("videos")}>
          {words.toVideos}
        </Link>
      </Empty>
    </Framed>
  );
}

function Framed({ children }: { children: ComponentChildren }) {
  const words = useJobWords();
  return (
    <>
      <PageHeader title={words.title} />
      {children}
    </>
  );
}

function ForOperators({ rest }: PageProps) {
  const words = useJobWords();
  const [first = "", queue = "", letter = ""] = rest.split("/").map(decodeURIComponent);
  const part: Part = first === "queues" || first === "numbers" ? first : "jobs";
  const counts = useCounts();
  const queues = useQueues();
  const dead = queues.value?.reduce((sum, item) => sum + item.dead_letters, 0);
  return (
    <Framed>
      <Tabs<Part>
        label={words.parts}
        value={part}
        tabs={[
          { value: "jobs", label: words.jobs },
          { value: "queues", label: words.queues, count: dead === 0 ? undefined : dead },
          { value: "numbers", label: words.numbers },
        ]}
        choose={(value) => navigate(`${ROOT}/jobs${value === "jobs" ? "" : `/${value}`}`, { keepScroll: true })}
      >
        {part === "jobs" && <JobsTab openId={first === "" ? null : first} counts={counts} />}
        {part === "queues" && <QueuesTab queue={queue} letterId={letter === "" ? null : letter} queues={queues} />}
        {part === "numbers" && <HistoryTab counts={counts} />}
      </Tabs>
    </Framed>
  );
}
