/** What shared execution sends, and when: batches, slow readers, and the end of a subscription. */
import { beforeEach, expect, test } from 'vitest';
import type { Payload } from '../../src/core/subscribe.ts';
import {
  argsOf,
  type Event,
  NEXT,
  ONE,
  openStream,
  resetShared,
  resultsOf,
  shared,
} from './support/sharedExecution.ts';

beforeEach(resetShared);

/** Events that were read together. */
function batchOf(...texts: string[]): readonly Event[] {
  const batch: Event[] = [];
  for (const text of texts) batch.push({ text, batch });
  return batch;
}

test('shared execution: the events of a batch are executed together, and sent in order', async () => {
  shared.events = batchOf('one', 'two', 'three');
  const started: string[] = [];
  const query = 'subscription { shared { later } }';
  const stream = await openStream(
    { query },
    (payload) => void started.push(`${payload} ${shared.executions}`),
  );
  await stream.next();
  expect(started).toEqual(
    ['one', 'two', 'three'].map((later) => `{"data":{"shared":{"later":"${later}"}}} 3`),
  );
});

test.each([
  ['text', 0],
  ['likes', 0],
  // Those that were executed ahead are executed again.
  ['viewer', 20],
  ['fails', 20],
])(
  'shared execution: a batch with %s is executed for one reader, %i events of it again',
  async (name, again) => {
    shared.events = batchOf(...Array.from({ length: 30 }, (_, i) => `number ${i}`));
    const results = await resultsOf({ query: `subscription { shared { text ${name} } }` });
    expect(results.map(({ data }) => (data as { shared: { text: string } }).shared.text)).toEqual(
      shared.events.map(({ text }) => text),
    );
    expect(shared.executions).toBe(shared.events.length + again);
  },
);

test("shared execution: a slow reader's own result is not from before it is sent", async () => {
  shared.events = batchOf('one', 'two', 'three');
  const context: Record<string, string> = { viewer: 'aki', language: 'before' };
  const received: string[] = [];
  let makeRoom = () => {};
  const push = (payload: Payload) => {
    received.push(JSON.stringify(Buffer.isBuffer(payload) ? String(payload) : payload));
    return new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  };
  const query = 'subscription { shared { language } }';
  const stream = await openStream({ query, context }, push);
  const ended = stream.next();
  await new Promise(setImmediate);
  context.language = 'after';
  makeRoom();
  await new Promise(setImmediate);
  makeRoom();
  await new Promise(setImmediate);
  makeRoom();
  await ended;
  expect(received.map((text) => /before|after/.exec(text)?.[0])).toEqual(['before', 'after', 'after']);
});

test('shared execution: completes after the last event, and closes the stream when the client leaves', async () => {
  const query = 'subscription { shared { text } }';
  await resultsOf({ query });
  expect(shared.closings).toBe(1);
  let makeRoom = () => {};
  const push = () =>
    new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  const left = await openStream({ query }, push);
  const ended = left.next();
  await left.return?.();
  makeRoom();
  expect(await ended).toEqual({ done: true, value: undefined });
  expect(shared.closings).toBe(2);
});

test('shared execution: waits for a client that has no room', async () => {
  shared.events = [ONE, { text: 'two' }, { text: 'three' }];
  const received: string[] = [];
  let makeRoom = () => {};
  const push = (payload: unknown) => {
    received.push(String(payload));
    return new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  };
  const query = 'subscription { shared { text } }';
  const stream = await openStream({ query }, push);
  const ended = stream.next();
  for (let i = 1; i <= shared.events.length; i++) {
    await new Promise(setImmediate);
    expect(received).toHaveLength(i);
    makeRoom();
  }
  await ended;
});

test('shared execution: a transport that pulls gets what `next` returns', async () => {
  const args = argsOf({ query: 'subscription { shared { text } }' });
  expect(await shared.subscribe(args, () => NEXT)).toBe(NEXT);
});

test.each(['shared', 'own'])(
  'shared execution: what is executed when a subscription of the field "%s" ends is not sent, and its end waits for it',
  async (name) => {
    let open = () => {};
    shared.gate = new Promise((resolve) => {
      open = resolve;
    });
    shared.events = [ONE, ONE];
    const sent: Payload[] = [];
    const query = `subscription { ${name} { gated } }`;
    const stream = await openStream({ query }, (payload) => void sent.push(payload));
    let ended = false;
    const end = stream.next().then(() => {
      ended = true;
    });
    await new Promise(setImmediate);
    await stream.return?.();
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    open();
    await end;
    expect(sent).toEqual([]);
  },
);
