// Queues and topics: queues, topics, event rules, trying a policy, and connecting a client.

import { useState } from "preact/hooks";
import { useQueryValue } from "../../core/router";
import { Choices, ErrorNote, Loading } from "../../ui/basics";
import { Connect } from "./connect";
import { QueuesTable } from "./queues";
import { Rules } from "./rules";
import { Topics } from "./topics";
import { useTopology } from "./topology";
import { type TrialStart, TryPolicy } from "./try_policy";
import { useBusWords } from "./words";

type Part = "queues" | "topics" | "rules" | "try" | "connect";

export function QueuesAndTopics() {
  const words = useBusWords();
  const [part, setPart] = useQueryValue("part", "queues");
  const [start, setStart] = useState<TrialStart | null>(null);
  const { value, error, reload } = useTopology();
  if (value === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Loading />;
  const connect = () => setPart("connect");
  const tryPolicy = (chosen: TrialStart) => {
    setStart(chosen);
    setPart("try");
  };
  return (
    <div class="stack">
      {error && <ErrorNote error={error} retry={reload} />}
      <Choices<Part>
        label={words.parts}
        value={part as Part}
        options={[
          { value: "queues", label: words.queues, count: value.queues.length },
          { value: "topics", label: words.topics, count: value.topics.length },
          { value: "rules", label: words.rules, count: value.event_buses.flatMap((bus) => bus.rules).length },
          { value: "try", label: words.tryPolicy },
          { value: "connect", label: words.connect },
        ]}
        choose={(chosen) => {
          setStart(null);
          setPart(chosen);
        }}
      />
      {part === "queues" && <QueuesTable topology={value} connect={connect} />}
      {part === "topics" && <Topics topology={value} connect={connect} tryPolicy={tryPolicy} />}
      {part === "rules" && <Rules topology={value} connect={connect} tryPolicy={tryPolicy} />}
      {part === "try" && <TryPolicy key={start?.policy ?? ""} start={start} />}
      {part === "connect" && <Connect topology={value} />}
    </div>
  );
}
