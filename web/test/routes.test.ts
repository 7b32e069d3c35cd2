import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { encodeQuery } from "../src/api/client";
import { nextCursor } from "../src/api/use_paged_list";
import { findRoute } from "../src/app/routes";
import { keyNames } from "../src/core/shortcuts";

const found = (path: string) => {
  const match = findRoute(path);
  return match && [match.page, match.rest];
};

test("the root and /ui show the home page", () => {
  deepEqual(found("/"), ["home", ""]);
  deepEqual(found("/ui"), ["home", ""]);
  deepEqual(found("/ui/"), ["home", ""]);
});

test("one video has a page of its own", () => {
  deepEqual(found("/ui/videos"), ["videos", ""]);
  deepEqual(found("/ui/videos/42"), ["video", "42"]);
});

test("a page receives what follows its address", () => {
  deepEqual(found("/ui/jobs/queues/some-queue"), ["jobs", "queues/some-queue"]);
});

test("an unknown address has no page", () => {
  equal(found("/ui/nowhere"), null);
  equal(found("/elsewhere/videos"), null);
});

test("queries leave out empty values and repeat lists", () => {
  equal(encodeQuery({ a: "", b: null, c: undefined }), "");
  equal(encodeQuery({ state: ["open", "closed"], limit: 5 }), "?state=open&state=closed&limit=5");
});

test("the next cursor is read from the new field or the old one", () => {
  equal(nextCursor({ next_cursor: "b", next: "a" }), "b");
  equal(nextCursor({ next: "a" }), "a");
  equal(nextCursor({ next_cursor: null }), null);
});

test("shortcuts are shown as printed on a keyboard", () => {
  deepEqual(keyNames(" ", "Space"), ["Space"]);
  deepEqual(keyNames("g v", "Space"), ["g", "v"]);
  deepEqual(keyNames("ArrowLeft", "Space"), ["←"]);
  deepEqual(keyNames("Escape", "Space"), ["Esc"]);
});
