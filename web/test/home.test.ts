import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type Command, fitOf, matchingCommands } from "../src/app/commands";
import { definedWords } from "../src/core/language";
import { languageName } from "../src/core/language_name";
import { browserName, encodeKey } from "../src/core/push_browser";
import { inTurns, momentsOf } from "../src/pages/home/latest_moments";
import { tookSeconds } from "../src/pages/jobs/job_row";
import { listOf } from "../src/pages/settings/setting_field";
import { changedDraft } from "../src/pages/settings/settings_form";
import { reasonsIn } from "../src/ui/event_reasons";
import { summaryIn } from "../src/ui/event_summary";
import type { useReasonWords } from "../src/ui/reason_words";
import type { useSummaryWords } from "../src/ui/summary_words";
import { cleanPayload, handlingOf } from "../src/worker/rules";

type SummaryWords = ReturnType<typeof useSummaryWords>;
const wordsIn = (language: "en" | "pt") => definedWords.get("summary")?.[language] as unknown as SummaryWords;
const command = (text: string): Command => ({ id: text, text, about: "", icon: "search", run: () => {} });

test("moments of several videos take turns", () => {
  deepEqual(inTurns([[1, 4], [2], [3, 5, 6]], 5), [1, 2, 3, 4, 5]);
  deepEqual(inTurns([]), []);
});

test("a moment is what appears together, named by its largest text that was read well", () => {
  const hit = (t_start: number, text: string, height: number, unsure = false) => ({
    t_start,
    text,
    unsure,
    bounding_box: { x: 0, y: 100 - height, width: 10, height },
  });
  const hits = [
    hit(0, "- first point", 20),
    hit(1500, "Velocity", 40),
    hit(3000, "CejstityMSiginal", 43, true),
    hit(3300, "Crystal Market", 38),
    hit(9000, "haabderstirb", 30, true),
    hit(12_000, "42", 60),
  ];
  deepEqual(
    momentsOf(hits).map((item) => item.text),
    ["Velocity", "Crystal Market"],
  );
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

test("reasons of rules are read in the language of the page, those of a model as they are", () => {
  const wordsFor = (language: "en" | "pt") => ({
    reasons: definedWords.get("reasons")?.[language] as unknown as ReturnType<typeof useReasonWords>,
    summary: wordsIn(language),
  });
  const english =
    "Rules: person seen (+35); 2 people at once (+10); at night (02 h) (+20); in the restricted zone Lawn, Path (+25); " +
    "crossed the line Gate (left to right) (+10); rare here at this hour (on 1 of 14 days) (+15); " +
    "seen 3 times in 14 days at this hour (on 2 of 14 days) (+0); person also seen at Porch at the same time, Back Yard 7 s after (+10); " +
    "no detection above 0.55 (-15). Sum 110, score 100.";
  equal(reasonsIn(wordsFor("en"), english), english);
  equal(
    reasonsIn(wordsFor("pt"), english),
    "Regras: pessoa à vista (+35); 2 pessoas ao mesmo tempo (+10); à noite (02 h) (+20); na zona restrita Lawn, Path (+25); " +
      "cruzou a linha Gate (da esquerda para a direita) (+10); raro aqui neste horário (em 1 de 14 dias) (+15); " +
      "visto 3 vezes em 14 dias neste horário (em 2 de 14 dias) (+0); pessoa também à vista em Porch ao mesmo tempo, Back Yard 7 s depois (+10); " +
      "nenhuma detecção acima de 0.55 (-15). Soma 110, risco 100.",
  );
  equal(reasonsIn(wordsFor("pt"), "A person climbs the fence."), "A person climbs the fence.");
});

test("languages are named in the language of the page, and by the server where the browser knows no name", () => {
  document.documentElement.lang = "es";
  equal(languageName("deu"), "Alemán");
  equal(languageName("chi_sim", "Chinese, simplified"), "Chino simplificado");
  equal(languageName("jpn_vert", "Japanese, vertical"), "Japanese, vertical");
  document.documentElement.lang = "en";
});
