// Storage: what the caller stores, quotas and retention rules; for operators also the use by kind and what is free.

import { get, post } from "../../api/client";
import type { OwnStorageAnswer, QuotaAnswer, RuleAnswer, StorageAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { bytes, number } from "../../core/format";
import { Ago, Button, ErrorNote, Progress } from "../../ui/basics";
import { notifyError } from "../../ui/toasts";
import { useStorageWords } from "./storage_words";

const REFRESH_MS = 60_000;

export function Storage() {
  const words = useStorageWords();
  const me = useMe();
  const isOperator = me.value?.is_operator ?? false;
  const own = useData("own storage", (signal) => get<OwnStorageAnswer>("/api/storage/mine", { signal }), {
    every: REFRESH_MS,
  });
  const all = useData(isOperator ? "storage" : null, (signal) => get<StorageAnswer>("/api/storage", { signal }), {
    every: REFRESH_MS,
  });
  const error = own.error ?? all.error;
  const rules = all.value?.rules ?? own.value?.rules ?? [];
  return (
    <section class="storage" aria-label={words.storage}>
      <h2 class="overview-part">{words.storage}</h2>
      {error && <ErrorNote error={error} retry={own.reload} />}
      <div class="plots">
        {own.value && <Own own={own.value} />}
        {all.value && <Whole storage={all.value} set={(value) => all.set(() => value)} />}
        {rules.length > 0 && <Rules rules={rules} />}
      </div>
    </section>
  );
}

function Own({ own }: { own: OwnStorageAnswer }) {
  const words = useStorageWords();
  const lines: [string, QuotaAnswer, (value: number) => string][] = [
    [words.myOriginals, own.storage_bytes, bytes],
    [words.myVideos, own.videos, number],
    [words.myUploads, own.open_uploads, number],
  ];
  return (
    <div class="card">
      <h3>{words.mine}</h3>
      <dl>
        {lines.map(([label, { used, limit }, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="number">
              {limit === null ? text(used) : words.ofLimit(text(used), text(limit))}
              {limit !== null && <Progress share={Math.min(1, used / limit)} label={label} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Whole({ storage, set }: { storage: StorageAnswer; set: (value: StorageAnswer) => void }) {
  const words = useStorageWords();
  const total = storage.kinds.reduce((sum, item) => sum + item.bytes, 0);
  const measure = () => post<StorageAnswer>("/api/storage/measure").then(set, notifyError);
  return (
    <div class="card">
      <h3>{words.everything}</h3>
      <table>
        <thead>
          <tr>
            <th>{words.kind}</th>
            <th class="number">{words.size}</th>
          </tr>
        </thead>
        <tbody>
          {storage.kinds.map((item) => (
            <tr key={item.kind}>
              <th scope="row">{words[`kind_${item.kind as "other"}`] ?? item.kind}</th>
              <td class="number">{bytes(item.bytes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{words.total}</th>
            <td class="number">{bytes(total)}</td>
          </tr>
        </tbody>
      </table>
      <p class="soft">
        {storage.usable_bytes === null ? words.noLimit : words.free(bytes(storage.usable_bytes))}
        {storage.usable_bytes !== null &&
          ` (${words.reserved(bytes(storage.reserved_bytes), bytes(storage.announced_bytes))})`}
      </p>
      <p class="line soft">
        {storage.measured_at === null ? (
          words.notMeasured
        ) : (
          <span>
            {words.measured} <Ago at={storage.measured_at} />
          </span>
        )}
        <Button onClick={measure}>{words.measure}</Button>
      </p>
    </div>
  );
}

function Rules({ rules }: { rules: RuleAnswer[] }) {
  const words = useStorageWords();
  return (
    <div class="card">
      <h3>{words.rules}</h3>
      <ul>
        {rules.map((rule) => (
          <li key={rule.rule}>
            {words[`rule_${rule.rule as "videos"}`] ?? rule.rule}:{" "}
            {[
              rule.days === null ? null : words.afterDays(rule.days),
              rule.max_bytes === null ? null : words.above(bytes(rule.max_bytes)),
            ]
              .filter((text) => text !== null)
              .join("; ")}
          </li>
        ))}
      </ul>
    </div>
  );
}
