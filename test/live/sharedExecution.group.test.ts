/** Readers who share results, whose results are made before they get the event. */
import { beforeEach, expect, test } from 'vitest';
import type { Payload } from '../../src/core/subscribe.ts';
import { createSubscription, type SharedResults } from '../../src/live/subscription.ts';
import {
  alone,
  argsOf,
  byAll,
  type Event,
  NEXT,
  ONE,
  type Request,
  readers,
  resetShared,
  shared,
} from './support/sharedExecution.ts';

beforeEach(resetShared);

/** A subscription that sends what it is given. */
async function openReader(request: Request) {
  const given: Event[] = [];
  let results: SharedResults<Event> | undefined;
  const subscription = createSubscription<Event>({
    take: () => given.shift(),
    share: (own) => {
      results = own;
    },
  });
  shared.open = () => subscription.events;
  const received: unknown[] = [];
  const push = (payload: Payload) => {
    received.push(JSON.parse(Buffer.isBuffer(payload) ? String(payload) : JSON.stringify(payload)));
  };
  const stream = await shared.subscribe({ ...argsOf(request), push }, () => NEXT);
  const ended = (stream as AsyncIterableIterator<unknown>).next();
  return {
    received,
    results: () => results,
    give(event: Event) {
      given.push(event);
      subscription.wake();
    },
    leave: () => subscription.events.return?.().then(() => ended),
  };
}

/** What each gets if the results are made before. */
async function received(requests: readonly Request[]): Promise<unknown[]> {
  const group = await Promise.all(requests.map(openReader));
  await group[0]?.results()?.prepare([ONE], group.length);
  for (const reader of group) reader.give(ONE);
  const atOnce = group.map((reader) => reader.received.length);
  await new Promise(setImmediate);
  const all = group.map((reader) => reader.received[0]);
  await Promise.all(group.map((reader) => reader.leave()));
  return [atOnce, all];
}

test.each(['text', 'text later likes', 'secret'])(
  'shared execution: %s is made once before, and sent to all without waiting',
  async (fields) => {
    const requests = byAll(`subscription { shared { ${fields} } }`);
    const [atOnce, all] = await received(requests);
    expect(atOnce).toEqual(readers.map(() => 1));
    expect(shared.executions).toBe(1);
    expect(all).toEqual(await alone(requests));
  },
);

test.each([
  'viewer',
  'language later',
  'viewerLater',
  'copied',
  'likesEach',
  'likesUnknown',
  'likesNot',
  'fails',
])(
  'shared execution: %s is what each would get alone, also if it was made before for another reader',
  async (fields) => {
    const requests = byAll(`subscription { shared { text ${fields} } }`);
    const [, all] = await received(requests);
    const data = (result: unknown) => (result as { data: unknown }).data;
    expect((all as unknown[]).map(data)).toEqual((await alone(requests)).map(data));
  },
);

test('shared execution: what is personal is not made before a second time', async () => {
  const reader = await openReader({ query: 'subscription { shared { viewer } }' });
  await reader.results()?.prepare([ONE], 1);
  expect(shared.executions).toBe(1);
  expect(reader.results()?.prepare([{ text: 'two' }], 1)).toBeUndefined();
  expect(shared.executions).toBe(1);
  await reader.leave();
});

test('shared execution: the holders of a field are read for all clients at once', async () => {
  const requests = byAll('subscription { shared { likes } }');
  await received(requests);
  expect(shared.readings).toEqual(['likers']);
});

test('shared execution: readers have the same key if their results are the same', async () => {
  const query = `subscription One($n: Int = 3, $a: String, $yes: Boolean = true) { shared(after: $a) { text repeated(times: $n) later @include(if: $yes) } }
    subscription Two($n: Int) { shared { text repeated(times: $n) } }`;
  const keyOf = async (variables: Record<string, unknown>, operationName = 'One') => {
    const reader = await openReader({ query, operationName, variables });
    await reader.leave();
    return reader.results()?.key;
  };
  const key = await keyOf({ n: 2, a: 'a cursor' });
  expect(await keyOf({ n: 2, a: 'another' })).toBe(key);
  const others = [
    await keyOf({ n: 3 }),
    await keyOf({}),
    await keyOf({ n: 2, yes: false }),
    await keyOf({ n: 2 }, 'Two'),
    await keyOf({}, 'Two'),
  ];
  expect(new Set([key, ...others]).size).toBe(6);
});
