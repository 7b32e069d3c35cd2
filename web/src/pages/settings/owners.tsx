// Usage of all owners, and the quotas of each, for operators.

import { useState } from "preact/hooks";
import { encodeQuery, get, put } from "../../api/client";
import type { OwnerAnswer, OwnerQuotasAnswer, OwnersAnswer, QuotasAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { usePagedList } from "../../api/use_paged_list";
import { bytes, number } from "../../core/format";
import { Button, ErrorNote, Field, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { time } from "./usage_time";
import { useUsageWords } from "./usage_words";

const BYTES_PER_GB = 1e9;
const SORTS = ["stored_bytes", "uploads", "processed_ms", "transcribed_ms", "job_ms", "api_requests"] as const;
type Sort = (typeof SORTS)[number];
type QuotaName = keyof QuotasAnswer;
const QUOTAS: readonly QuotaName[] = ["storage_bytes", "videos", "open_uploads", "minutes_per_month"];

export function Owners({ month }: { month: string }) {
  const words = useUsageWords();
  const [sort, setSort] = useState<Sort>("stored_bytes");
  const [changed, setChanged] = useState<OwnerAnswer | null>(null);
  const list = usePagedList<OwnerAnswer>(`owners ${month} ${sort}`, async (cursor, signal) => {
    const found = await get<OwnersAnswer>("/api/usage/owners", { query: { month, sort, cursor }, signal });
    return { rows: found.owners, next: found.next_cursor };
  });
  const columns: Record<Sort, string> = {
    stored_bytes: words.quota_storage_bytes,
    uploads: words.uploads,
    processed_ms: words.processed,
    transcribed_ms: words.transcribed,
    job_ms: words.jobTime,
    api_requests: words.requests,
  };
  return (
    <section class="card usage-table stack" aria-label={words.owners}>
      <h3>{words.owners}</h3>
      <div class="line usage-sort">
        <Field label={words.sortBy}>
          <select value={sort} onChange={(event) => setSort(event.currentTarget.value as Sort)}>
            {SORTS.map((value) => (
              <option key={value} value={value}>
                {columns[value]}
              </option>
            ))}
          </select>
        </Field>
        <a class="button" href={`/api/usage/owners.csv${encodeQuery({ month, sort })}`} download>
          {words.asCsv}
        </a>
      </div>
      {list.error && <ErrorNote error={list.error} retry={list.reload} />}
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.owner}</th>
              {SORTS.map((value) => (
                <th key={value} scope="col" class="number">
                  {columns[value]}
                </th>
              ))}
              <th scope="col">{words.quotas}</th>
            </tr>
          </thead>
          <tbody>
            {list.rows.map((owner) => (
              <tr key={owner.owner_id}>
                <th scope="row">{nameOf(owner)}</th>
                <td class="number">{bytes(owner.stored_bytes)}</td>
                <td class="number">{number(owner.uploads)}</td>
                <td class="number">{time(owner.processed_seconds)}</td>
                <td class="number">{time(owner.transcribed_seconds)}</td>
                <td class="number">{time(owner.job_seconds)}</td>
                <td class="number">{number(owner.api_requests)}</td>
                <td>
                  <Button onClick={() => setChanged(owner)}>{words.changeQuotas}</Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!list.isComplete && !list.isLoading && <Button onClick={list.loadMore}>{words.more}</Button>}
      {changed !== null && <QuotasDialog owner={changed} close={() => setChanged(null)} />}
    </section>
  );
}

const nameOf = (owner: OwnerAnswer): string => owner.name ?? owner.owner_id;

function QuotasDialog({ owner, close }: { owner: OwnerAnswer; close: () => void }) {
  const words = useUsageWords();
  const path = `/api/usage/owners/${owner.owner_id}/quotas`;
  const data = useData(path, (signal) => get<OwnerQuotasAnswer>(path, { signal }));
  return (
    <Dialog title={words.quotasOf(nameOf(owner))} close={close}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value === undefined ? (
        !data.error && <Loading />
      ) : (
        <QuotasForm path={path} known={data.value} close={close} />
      )}
    </Dialog>
  );
}

function QuotasForm({ path, known, close }: { path: string; known: OwnerQuotasAnswer; close: () => void }) {
  const words = useUsageWords();
  const [texts, setTexts] = useState<Record<QuotaName, string>>(
    () => Object.fromEntries(QUOTAS.map((name) => [name, textOf(name, known.set[name])])) as Record<QuotaName, string>,
  );
  const form = useForm(QUOTAS, async () => {
    const body = Object.fromEntries(QUOTAS.map((name) => [name, numberOf(name, texts[name])]));
    await put<OwnerQuotasAnswer>(path, { body });
    notify(words.quotasSaved);
    close();
  });
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="soft">{words.emptyIsDefault}</p>
      {form.note}
      {QUOTAS.map((name) => (
        <FormField
          key={name}
          label={name === "storage_bytes" ? words.storageGb : words[`quota_${name}`]}
          hint={
            known.set[name] === null
              ? words.defaultIs(limitText(name, known.in_force[name], words.unlimited))
              : undefined
          }
          error={form.errorOf(name)}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="number"
              min={0}
              step={name === "storage_bytes" ? "any" : 1}
              value={texts[name]}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
          )}
        </FormField>
      ))}
      <Button type="submit" kind="primary" disabled={form.isSending}>
        {words.save}
      </Button>
    </form>
  );
}

function textOf(name: QuotaName, value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  return String(name === "storage_bytes" ? value / BYTES_PER_GB : value);
}

function numberOf(name: QuotaName, text: string): number | null {
  if (text.trim() === "") return null;
  return name === "storage_bytes" ? Math.round(Number(text) * BYTES_PER_GB) : Number(text);
}

function limitText(name: QuotaName, value: number | null | undefined, none: string): string {
  if (!value) return none;
  return name === "storage_bytes" ? bytes(value) : number(value);
}
