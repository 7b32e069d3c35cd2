import "./browser";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { PartUrls } from "../src/upload/part_urls";
import { putPart } from "../src/upload/put_part";
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

/** Lets a retry's delay pass, and everything that follows from it. */
async function passRetry(context: TestContext): Promise<void> {
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  context.mock.timers.tick(20_000);
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}

test("an outage does not use up the attempts that errors have", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [...Array<number>(30).fill(503), 500, 502, 422];
  const fetched = context.mock.method(globalThis, "fetch", async () => {
    const status = answers.shift() ?? 200;
    return Response.json({ error: { code: "X", message: `answer ${status}`, details: {} } }, { status });
  });
  const upload = new Upload(new File(["x"], "a.mp4"));
  const run = upload.run();
  for (let attempt = 0; attempt < 32; attempt += 1) {
    await passRetry(context);
    if (attempt === 10) equal(upload.progress.value.phase, "waiting");
  }
  await run;
  equal(fetched.mock.callCount(), 33);
  equal(upload.progress.value.phase, "failed");
  equal(upload.progress.value.reason?.message, "answer 422");
});

test("errors of the server end the upload after some attempts", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const fetched = context.mock.method(globalThis, "fetch", async () => Response.json({}, { status: 500 }));
  const upload = new Upload(new File(["x"], "a.mp4"));
  const run = upload.run();
  for (let attempt = 0; attempt < 9; attempt += 1) await passRetry(context);
  await run;
  equal(fetched.mock.callCount(), 9);
  equal(upload.progress.value.phase, "failed");
});

class SilentRequest {
  static last: SilentRequest;
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  isAborted = false;
  onloadend?: () => void;
  onabort?: () => void;

  constructor() {
    SilentRequest.last = this;
  }
  open(): void {}
  send(): void {}
  abort(): void {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }
}

test("a connection on which nothing moves is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { XMLHttpRequest: SilentRequest });
  const sent: number[] = [];
  const { signal } = new AbortController();
  const put = putPart("/put", new Blob(["part"]), { signal, onSent: (bytes) => sent.push(bytes) });
  context.mock.timers.tick(100_000);
  SilentRequest.last.upload.onprogress?.({ loaded: 2 });
  context.mock.timers.tick(100_000);
  equal(SilentRequest.last.isAborted, false);
  context.mock.timers.tick(20_000);
  await rejects(put, { status: 0 });
  equal(SilentRequest.last.isAborted, true);
  deepEqual(sent, [2]);
});
