import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type Command, fitOf, matchingCommands } from "../src/app/commands";
import { definedWords } from "../src/core/language";
import { browserName, encodeKey } from "../src/core/push_browser";
import { inTurns, onePerFrame } from "../src/pages/home/latest_moments";
import { tookSeconds } from "../src/pages/jobs/job_row";
import { listOf } from "../src/pages/settings/setting_field";
import { changedDraft } from "../src/pages/settings/settings_form";
import { summaryIn } from "../src/ui/event_summary";
import type { useSummaryWords } from "../src/ui/summary_words";
import { cleanPayload, handlingOf } from "../src/worker/rules";

type SummaryWords = ReturnType<typeof useSummaryWords>;
const wordsIn = (language: "en" | "pt") => definedWords.get("summary")?.[language] as unknown as SummaryWords;
const command = (text: string): Command => ({ id: text, text, about: "", icon: "search", run: () => {} });

test("moments of several videos take turns, one for each picture", () => {
  deepEqual(inTurns([[1, 4], [2], [3, 5, 6]], 5), [1, 2, 3, 4, 5]);
  deepEqual(inTurns([]), []);
  deepEqual(onePerFrame([{ frame_ms: 1 }, { frame_ms: 1 }, { frame_ms: 2 }]), [{ frame_ms: 1 }, { frame_ms: 2 }]);
});

test("a job says how long it took once it is over", () => {
  equal(tookSeconds({ started_at: "2026-01-01T10:00:00Z", finished_at: "2026-01-01T10:01:05Z" }), 65);
  equal(tookSeconds({ started_at: "2026-01-01T10:00:00Z", finished_at: null }), null);
  equal(tookSeconds({ started_at: null, finished_at: "2026-01-01T10:00:00Z" }), null);
});

test("commands are found by their beginning, by words, and by letters in order", () => {
  equal(fitOf("Upload a video", "up"), 0);
  equal(fitOf("Upload a video", "video"), 1);
  equal(fitOf("Câmeras", "cameras"), 0);
  equal(fitOf("Add a camera", "camera add"), 3);
  equal(fitOf("Keyboard shortcuts", "kbsc"), 4);
  equal(fitOf("Home", "x"), null);
  const all = ["Saved searches", "Search", "Settings"].map(command);
  deepEqual(
    matchingCommands(all, "search").map((item) => item.text),
    ["Search", "Saved searches"],
  );
  deepEqual(matchingCommands(all, ""), all);
});

test("summaries of rules are read in the language of the page, at the time of the reader", () => {
  const english =
    "2 person, 1 car at Front Door, Porch, 02:14: crossed the line Gate (left to right), moving left; never seen here at this hour";
  equal(
    summaryIn(wordsIn("pt"), english, "23:14"),
    "2 pessoas, 1 carro em Front Door, Porch, 23:14: cruzou a linha Gate (da esquerda para a direita), indo para a esquerda; nunca visto aqui neste horário",
  );
  equal(
    summaryIn(wordsIn("en"), english),
    "2 people, 1 car at Front Door, Porch, 02:14: crossed the line Gate (left to right), moving left; never seen here at this hour",
  );
  equal(
    summaryIn(wordsIn("pt"), "1 dog at Yard, 12:00: loitered in Lawn for 75 s; seen 3 times in 14 days at this hour"),
    "1 cachorro em Yard, 12:00: permaneceu em Lawn por 75 s; visto 3 vezes em 14 dias neste horário",
  );
});

test("a summary that a model wrote stays as it is", () => {
  equal(summaryIn(wordsIn("pt"), "Somebody tries the door."), "Somebody tries the door.");
});

test("a setting that is set to its value is no change, and a list may be typed", () => {
  const setting = { name: "A", kind: "number", value: 14 } as Parameters<typeof changedDraft>[1];
  deepEqual(changedDraft({}, setting, 30), { A: 30 });
  deepEqual(changedDraft({ A: 30, B: 1 }, setting, 14), { B: 1 });
  deepEqual(listOf(" eng, por ,"), ["eng", "por"]);
  equal(listOf(" "), null);
});

test("the service worker leaves the API alone", () => {
  const asked = (url: string, mode: RequestMode = "cors", method = "GET") =>
    handlingOf({ url: `https://cam.example${url}`, mode, method }, "https://cam.example");
  equal(asked("/api/events"), null);
  equal(asked("/videos/1/poster", "no-cors"), null);
  equal(asked("/docs", "navigate"), null);
  equal(asked("/ui/assets/main-ABCD1234.js"), "asset");
  equal(asked("/ui/assets/icon.svg"), null);
  equal(asked("/", "navigate"), "page");
  equal(asked("/ui/events/7", "navigate"), "page");
  equal(asked("/ui/events/7", "navigate", "POST"), null);
  equal(handlingOf({ url: "https://other.example/", mode: "navigate", method: "GET" }, "https://cam.example"), null);
});

test("a push shows something whatever it holds, and leads to this page only", () => {
  deepEqual(cleanPayload('{"id":"1","title":"Critical","body":"x","url":"/ui/events/7","isCritical":true}'), {
    id: "1",
    title: "Critical",
    body: "x",
    url: "/ui/events/7",
    isCritical: true,
  });
  equal(cleanPayload("not json").title, "Sightline");
  equal(cleanPayload('{"url":"https://evil.example/"}').url, "/");
  equal(cleanPayload('{"url":"//evil.example/"}').url, "/");
});

test("browsers are named as people know them", () => {
  equal(
    browserName("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"),
    "Chrome · Android",
  );
  equal(browserName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox · Linux");
  equal(encodeKey(new Uint8Array([251, 255, 190]).buffer), "-_--");
});
