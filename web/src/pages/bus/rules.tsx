// Event buses with their rules: pattern or schedule, and targets.

import type { BusRuleAnswer, BusTopologyAnswer } from "../../api/types";
import { Badge, Button } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { CopiedValue } from "./copied_value";
import { indentedJson } from "./indented_json";
import { NextStep } from "./next_step";
import { EndpointName, ResourceName } from "./resource_name";
import type { StartTrial } from "./try_policy";
import { useBusWords } from "./words";

interface Props {
  topology: BusTopologyAnswer;
  connect: () => void;
  tryPolicy: StartTrial;
}

export function Rules({ topology, connect, tryPolicy }: Props) {
  const words = useBusWords();
  const rules = topology.event_buses.flatMap((bus) => bus.rules);
  return (
    <>
      {topology.event_buses.map((bus) => (
        <section key={bus.arn} class="event-bus">
          <h2>
            {words.eventBus(bus.name)} {!bus.is_declared && <small class="soft">{words.account(bus.account_id)}</small>}
          </h2>
          <CopiedValue what={`${words.arn} ${bus.name}`} value={bus.arn} />
          {bus.rules.length === 0 && <NextStep text={words.noRules} connect={connect} />}
          <ul class="bus-cards">
            {bus.rules.map((rule) => (
              <li key={rule.arn} class="card stack">
                <Rule rule={rule} topology={topology} tryPolicy={tryPolicy} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {topology.endpoint_url !== null && rules.every((rule) => rule.is_declared) && (
        <NextStep text={words.noClientRules} connect={connect} />
      )}
    </>
  );
}

function Rule({ rule, topology, tryPolicy }: Omit<Props, "connect"> & { rule: BusRuleAnswer }) {
  const words = useBusWords();
  const { pattern } = rule;
  return (
    <>
      <h3 class="line">
        <ResourceName resource={rule} />
        {!rule.is_enabled && <Badge tone="warn">{words.disabled}</Badge>}
      </h3>
      <dl class="fact-list">
        <Fact name={words.schedule}>{rule.schedule === null ? null : <code>{rule.schedule}</code>}</Fact>
        <Fact name={words.pattern}>
          {pattern === null ? null : (
            <div class="policy">
              <code>{pattern}</code>
              <Button
                aria-label={words.tryPattern(rule.name)}
                onClick={() => tryPolicy({ scope: "Event", policy: indentedJson(pattern) })}
              >
                {words.tryIt}
              </Button>
            </div>
          )}
        </Fact>
        <Fact name={words.targets}>
          {rule.targets.length === 0 ? (
            <span class="soft">{words.noTargets}</span>
          ) : (
            rule.targets.map((target) => (
              <div key={target.id}>
                <EndpointName endpoint={target.arn} topology={topology} />
              </div>
            ))
          )}
        </Fact>
      </dl>
    </>
  );
}
