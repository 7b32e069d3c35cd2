import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { PartUrls } from "../src/upload/part_urls";
import { Rate } from "../src/upload/rate";
import { EmptyFile, Upload } from "../src/upload/upload";

test("the speed is unknown until there is a second of data", () => {
  const rate = new Rate();
  rate.note(0, 0);
  rate.note(500, 900);
  equal(rate.perSecond(), null);
  rate.note(2000, 2000);
  equal(rate.perSecond(), 1000);
  equal(rate.secondsLeft(5000), 5);
});

test("only the last seconds count for the speed", () => {
  const rate = new Rate();
  rate.note(0, 0);
  rate.note(100, 60_000);
  rate.note(4100, 62_000);
  equal(rate.perSecond(), 2000);
});

test("a part that is sent again starts the speed over", () => {
  const rate = new Rate();
  rate.note(0, 0);
  rate.note(4000, 2000);
  rate.note(1000, 2500);
  equal(rate.perSecond(), null);
});

test("URLs of the following parts come with the first request", async (context) => {
  const requests: string[] = [];
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  context.mock.method(globalThis, "fetch", async (path: string) => {
    requests.push(path);
    const numbers = (new URLSearchParams(path.split("?")[1]).get("partNumbers") ?? "").split(",").map(Number);
    return Response.json({ urls: numbers.map((partNumber) => ({ partNumber, url: `/put/${partNumber}`, expiresAt })) });
  });
  const urls = new PartUrls("video");
  const { signal } = new AbortController();
  deepEqual(await Promise.all([urls.of(1, [2, 3], signal), urls.of(2, [3], signal)]), ["/put/1", "/put/2"]);
  equal(requests.length, 1);
  urls.forget(2);
  equal(await urls.of(2, [], signal), "/put/2");
  equal(requests.length, 2);
});

test("an expired URL is requested again", async (context) => {
  let requests = 0;
  context.mock.method(globalThis, "fetch", async () => {
    requests += 1;
    return Response.json({
      urls: [{ partNumber: 1, url: "/put/1", expiresAt: new Date(Date.now() + 1000).toISOString() }],
    });
  });
  const urls = new PartUrls("video");
  const { signal } = new AbortController();
  await urls.of(1, [], signal);
  await urls.of(1, [], signal);
  equal(requests, 2);
});

test("an empty file fails before any request", async (context) => {
  const fetched = context.mock.method(globalThis, "fetch", async () => Response.json({}));
  const upload = new Upload(new File([], "empty.mp4"));
  await upload.run();
  equal(upload.progress.value.phase, "failed");
  equal(upload.progress.value.reason instanceof EmptyFile, true);
  equal(fetched.mock.callCount(), 0);
});
