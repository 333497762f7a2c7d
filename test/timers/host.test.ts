/** Which process handles the timers. */
import { afterAll, describe, expect, test } from 'vitest';
import { ranges } from '../../src/dynamo/keys.ts';
import { createServerClock } from '../../src/dynamo/serverClock.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { createTimerHost, TIMERS_LOST_AFTER_MS, TIMERS_STREAM } from '../../src/timers/host.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';
import { held } from '../support/time/held.ts';
import { createRunner, openTimers, set } from './support/timers.ts';

const opened = openTestDynamo({ file: true });
afterAll(async () => (await opened).stop());

async function isFree(): Promise<boolean> {
  const { dynamo } = await opened;
  const { items } = await dynamo.query(ranges.shards(TIMERS_STREAM), { limit: 10 });
  return items.every(({ owner }) => owner === undefined);
}

interface HostOptions {
  readonly handle?: (id: string) => Promise<void> | void;
  /** The database's clock minus the host's, in milliseconds. */
  readonly offset?: () => number;
  readonly startAt?: number;
}

async function createHost(owner: string, { handle, offset = () => 0, startAt = 0 }: HostOptions = {}) {
  const { dynamo } = await opened;
  const fixture = createRunner(dynamo, { startAt, handle: ({ id }) => handle?.(id) });
  const { clock, runner } = fixture;
  const leases = createLeases({
    dynamo,
    owner,
    clock,
    stream: TIMERS_STREAM,
    lostAfterMs: TIMERS_LOST_AFTER_MS,
  });
  const serverClock = { offset: () => ({ least: offset() - 500, most: offset() + 500 }) };
  const host = createTimerHost({ runner, leases, serverClock, clock, log: silent });
  /** Moves the clock by one round, and resolves when that round is done. */
  const round = async () => {
    clock.advance(2_500);
    await eventually(() => expect(clock.waiting).toBeGreaterThan(0));
  };
  return { ...fixture, host, round };
}

test('two hosts: one is active, and the other one takes over when it stops', async () => {
  const { dynamo } = await opened;
  const [one, other] = [await createHost('one'), await createHost('other')];
  await one.host.start();
  await other.host.start();
  expect(one.host.state()).toMatchObject({ active: true });
  expect(other.host.state()).toMatchObject({ active: false });

  await set(dynamo, { id: 'first', due: 2_500 });
  for (let i = 0; i < 2; i++) {
    await one.round();
    await other.round();
  }
  await one.ended(1);
  expect(other.began).toEqual([]);

  await one.host.stop();
  await set(dynamo, { id: 'second', due: 2_500 });
  await other.round();
  await other.ended(1);
  expect([one.began, other.began]).toEqual([['first'], ['second']]);
  expect(other.host.state()).toMatchObject({ active: true });
  await other.host.stop();
});

test('a host that was suspended: another one takes over, and what it had claimed is not sent twice', async () => {
  const { dynamo } = await opened;
  let resume = () => {};
  const suspended = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let reached = () => {};
  const claiming = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const sent: string[] = [];
  /** Sends after a claim, as everything that leaves the table must. */
  async function send(owner: string): Promise<void> {
    try {
      await dynamo.put({ pk: 'CLAIM', sk: 'CLAIM' }, { condition: 'attribute_not_exists(pk)' });
    } catch {
      return;
    }
    sent.push(owner);
  }
  const first = await createHost('suspended', {
    async handle() {
      reached();
      await suspended;
      await send('suspended');
    },
  });
  await set(dynamo, { id: 'to-send', due: 0 });
  await first.host.start();
  await claiming;

  const second = await createHost('second', { handle: () => send('second') });
  await second.host.start();
  expect(second.host.state().active).toBe(false);
  for (let waited = 0; waited <= TIMERS_LOST_AFTER_MS; waited += 2_500) await second.round();
  await second.ended(1);
  expect(second.host.state().active).toBe(true);

  resume();
  await first.ended(1);
  await first.round();
  expect(sent).toEqual(['second']);
  expect(first.host.state().active).toBe(false);
  expect(await openTimers(dynamo)).toEqual([]);
  await first.host.stop();
  await second.host.stop();
});

describe('a handler that hangs', () => {
  /** A host that has the lease and whose only handler hangs until it is released. */
  async function createHung(owner: string, options: HostOptions = {}) {
    const { dynamo } = await opened;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handle = () => {
      begin();
      return released;
    };
    const created = await createHost(owner, { ...options, handle });
    await set(dynamo, { id: owner, due: 0 });
    await created.host.start();
    await begun;
    return { ...created, release };
  }

  test('stop: gives the lease back after 2 s, and waits 15 s more for the handler', async () => {
    const { host, clock, release, ended } = await createHung('hangs');
    let stopped = false;
    const stopping = host.stop().then(() => {
      stopped = true;
    });
    clock.advance(1_999);
    expect(await isFree()).toBe(false);
    clock.advance(1);
    await eventually(async () => expect(await isFree()).toBe(true));
    // The limits of the handler and of the stop.
    await eventually(() => expect(clock.waiting).toBe(2));
    clock.advance(14_999);
    expect(await isFree()).toBe(true);
    expect(stopped).toBe(false);
    clock.advance(1);
    await stopping;
    release();
    await ended(1);
  });

  test('stop: ends when the handler does', async () => {
    const { host, release, ended } = await createHung('ends');
    const stopping = host.stop();
    release();
    await stopping;
    await ended(1);
    expect(await isFree()).toBe(true);
  });

  test('a clock that becomes wrong: the lease is given back after 2 s', async () => {
    let offset = 0;
    const { host, clock, release } = await createHung('becomes-wrong', { offset: () => offset });
    offset = 10 * 60_000;
    clock.advance(2_500);
    await eventually(() => expect(host.state().active).toBe(false));
    expect(await isFree()).toBe(false);
    clock.advance(2_000);
    await eventually(async () => expect(await isFree()).toBe(true));
    release();
    await host.stop();
  });
});

test('stop while it starts: the lease that it takes is given back, and no round follows', async () => {
  const { dynamo } = await opened;
  const { runner, clock } = createRunner(dynamo, { startAt: 0, handle: () => {} });
  const leases = createLeases({ dynamo, owner: 'starts', clock, stream: TIMERS_STREAM });
  const taking = held();
  const mayTake = held();
  const slow = {
    list: leases.list,
    async take(shard: string) {
      taking.letGo();
      await mayTake.promise;
      return leases.take(shard);
    },
  };
  const serverClock = { offset: () => undefined };
  const host = createTimerHost({ runner, leases: slow, serverClock, clock, log: silent });
  const starting = host.start();
  await taking.promise;
  const stopping = host.stop();
  mayTake.letGo();
  await Promise.all([starting, stopping]);
  expect(await isFree()).toBe(true);
  expect(clock.waiting).toBe(0);
  expect(host.state()).toMatchObject({ active: false });
});

test('a clock that is wrong: the host handles nothing, says so, and leaves the timers to another one', async () => {
  const { dynamo } = await opened;
  let offset = 10 * 60_000;
  const wrong = await createHost('wrong', { offset: () => offset, startAt: 10 * 60_000 });
  await wrong.host.start();
  expect(wrong.host.state()).toMatchObject({ active: false, clockIsRight: false });
  await set(dynamo, { id: 'due', due: 1_000 });
  await wrong.round();
  expect(wrong.began).toEqual([]);

  const right = await createHost('right', { offset: () => -1_400, startAt: 1_000 });
  await right.host.start();
  await right.ended(1);
  // 0.9 to 1.9 s ahead: less than the 2 s that a timer may be early.
  expect(right.host.state()).toMatchObject({ active: true, clockIsRight: true });
  await right.host.stop();

  offset = -3_000;
  await wrong.round();
  expect(wrong.host.state()).toMatchObject({ active: false, clockIsRight: false });
  offset = 0;
  await wrong.round();
  await eventually(() => expect(wrong.host.state()).toMatchObject({ active: true, clockIsRight: true }));
  await wrong.host.stop();
});

test.each([
  { name: '2.1 s ahead, never', ahead: 2_100, rights: [] as readonly number[] },
  { name: '0.9 s ahead, always', ahead: 900, rights: [0, 250, 500, 750, 999] },
  { name: '1.9 s behind, always', ahead: -1_900, rights: [0, 250, 500, 750, 999] },
])('a host takes timers $name, at each part of the second of the header', async ({ ahead, rights }) => {
  const taken: number[] = [];
  for (const part of [0, 250, 500, 750, 999]) {
    const serverClock = createServerClock();
    const at = Date.UTC(2026, 0, 1) + part;
    serverClock.observe(new Date(at).toUTCString(), at + ahead, at + ahead);
    const { dynamo } = await opened;
    const { runner, clock } = createRunner(dynamo, { startAt: 0, handle: () => {} });
    const host = createTimerHost({ runner, serverClock, clock, log: silent });
    await host.start();
    if (host.state().clockIsRight) taken.push(part);
    await host.stop();
  }
  expect(taken).toEqual(rights);
});
