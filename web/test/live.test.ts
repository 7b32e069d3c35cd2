import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { RecentNumbers } from "../src/live/recent_numbers";
import { LiveStream } from "../src/live/stream";
import { FakeSocket } from "./browser";

function connect(clientId: string | null = null) {
  const received: number[] = [];
  let gaps = 0;
  const stream = new LiveStream("events", clientId);
  stream.subscribe({
    message: (message) => received.push(message.sequence),
    gap: () => {
      gaps += 1;
    },
  });
  const socket = FakeSocket.opened.at(-1) as FakeSocket;
  socket.receive({ type: "hello", data: { epoch: "e1", sequence: 10 } });
  const send = (sequence: number, more = {}) =>
    socket.receive({ type: "event", sequence, requires_ack: false, data: {}, ...more });
  return { stream, socket, received, send, gapCount: () => gaps };
}

test("messages are delivered once and in order", () => {
  const { stream, received, send } = connect();
  send(11);
  send(11);
  send(12);
  deepEqual(received, [11, 12]);
  equal(stream.sequence.value, 12);
  equal(stream.connection.value, "live");
});

test("a missing message is requested instead of delivering the next", () => {
  const { socket, received, send } = connect();
  send(13);
  deepEqual(received, []);
  deepEqual(socket.sent, [{ type: "resume", last_sequence: 10, epoch: "e1" }]);
});

test("a message names the one before it when numbers are skipped", () => {
  const { received, send } = connect();
  send(15, { prev: 10 });
  deepEqual(received, [15]);
});

test("a redelivered message is acknowledged again and delivered once", () => {
  const { socket, received, send } = connect("device");
  send(11, { requires_ack: true });
  send(11, { requires_ack: true, redelivery: 1 });
  send(7, { requires_ack: true, redelivery: 2 });
  deepEqual(received, [11, 7]);
  deepEqual(
    socket.sent.map((frame) => frame.sequence),
    [11, 11, 7],
  );
});

test("a gap moves the position and reloads", () => {
  const { stream, socket, gapCount } = connect();
  socket.receive({ type: "gap", data: { sequence: 99, epoch: "e2" } });
  equal(gapCount(), 1);
  equal(stream.sequence.value, 99);
});

test("a ping that is ahead asks for what is missing", () => {
  const { socket } = connect();
  socket.receive({ type: "ping", data: { lastSeq: 12 } });
  deepEqual(
    socket.sent.map((frame) => frame.type),
    ["pong", "resume"],
  );
});

test("only the most recent numbers are remembered", () => {
  const recent = new RecentNumbers(3);
  for (const number of [1, 2, 3, 1, 4]) recent.add(number);
  equal(recent.size, 3);
  deepEqual(
    [1, 2, 3, 4].map((number) => recent.has(number)),
    [true, false, true, true],
  );
  for (let number = 0; number < 10_000; number += 1) recent.add(number);
  equal(recent.size, 3);
});
