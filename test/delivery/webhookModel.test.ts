/**
 * A webhook under random responses, reads, quiet hours, crashes and two hosts: at least once, with the same id unless it
 * is held back, and not too early.
 */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import type { Delivery } from '../../src/delivery/delivery.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { createTestClock } from '../support/time/clock.ts';
import { openTimers } from '../timers/support/timers.ts';
import { type Received, startReceiver } from './support/receiver.ts';
import { createSender } from './support/sending.ts';

const { numRuns, timeout, within } = budget({ runs: 6, seconds: 15 });
const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const RETRY_AFTER_S = 40;
/** What DynamoDB bounds a batch to. */
const BATCH_MAX = 50;

const RESPONSES = {
  ok: { status: 204 },
  down: { status: 503 },
  busy: { status: 429, headers: { 'retry-after': String(RETRY_AFTER_S) } },
  moved: { status: 302, headers: { location: '/elsewhere' } },
  gone: { status: 410 },
} as const;

type Act =
  | { readonly type: 'decide'; readonly count: number }
  | { readonly type: 'pass'; readonly seconds: number }
  | { readonly type: 'respond'; readonly how: Exclude<keyof typeof RESPONSES, 'gone'> }
  | { readonly type: 'read' }
  | { readonly type: 'hold'; readonly seconds: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('decide'), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('pass'), seconds: fc.integer({ min: 0, max: 90 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('respond'),
      how: fc.constantFrom('ok', 'down', 'busy', 'moved'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('read') }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('hold'), seconds: fc.integer({ min: 1, max: 300 }) }),
  },
);

/** What happens to a transaction that claims or ends an attempt. */
type Fault = 'none' | 'outage before' | 'outage after';
const faults = fc.infiniteStream(
  fc.constantFrom<Fault>('none', 'none', 'none', 'none', 'outage before', 'outage after'),
);

/** A process that loses its database in the middle of an attempt ends as one that dies there. */
function failing(dynamo: Dynamo, next: () => Fault): Dynamo {
  return {
    ...dynamo,
    async tryTransact(writes, options) {
      const fault = 'taken' in writes || 'deliveries' in writes ? next() : 'none';
      if (fault === 'outage before') throw new OutageError();
      const failed = await dynamo.tryTransact(writes, options);
      if (fault === 'outage after') throw new OutageError();
      return failed;
    },
  };
}

interface Request extends Received {
  /** By the clock of the test, in milliseconds since 1970. */
  readonly at: number;
  readonly how: keyof typeof RESPONSES;
}

test(`webhooks model: what was decided arrives, is not dropped as a repetition, and not before its time (seed ${seed})`, {
  timeout,
}, async () => {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  let startAt = Math.ceil(Date.now() / SECOND) * SECOND;
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 5, maxLength: 25, size: 'max' }),
      faults,
      fc.boolean(),
      within(async (acts, stream, endsGone) => {
        startAt += 100 * DAY;
        await run({ dynamo: database.dynamo, startAt, acts, stream, endsGone });
      }),
    ),
    { numRuns, seed, endOnFailure: true },
  );
});

interface Run {
  readonly dynamo: Dynamo;
  readonly startAt: number;
  readonly acts: readonly Act[];
  readonly stream: Iterator<Fault>;
  /** Whether the receiver says in the end that it is gone. */
  readonly endsGone: boolean;
}

async function run({ dynamo, startAt, acts, stream, endsGone }: Run): Promise<void> {
  const receiver = await startReceiver();
  const clock = createTestClock();
  const now = () => startAt + clock.now();
  let how: keyof typeof RESPONSES = 'ok';
  let next = (): Fault => stream.next().value as Fault;
  const requests: Request[] = [];
  receiver.respond((received) => {
    requests.push({ ...received, at: now(), how });
    return RESPONSES[how];
  });
  const readIds = new Set<string>();
  const heldUntil = new Map<string, number>();
  const diedAt: number[] = [];
  const fault = (): Fault => {
    const one = next();
    if (one !== 'none') diedAt.push(now());
    return one;
  };
  const [one, other] = [1, 2].map(() =>
    createSender(failing(dynamo, fault), {
      startAt,
      clock,
      webhooks: [{ ...receiver.config, kinds: ['MENTION'] as const }],
      isLeft: ({ id }) => !readIds.has(id),
      heldUntil({ id }) {
        const until = heldUntil.get(id) ?? 0;
        return until > now() ? until : undefined;
      },
    }),
  ) as [ReturnType<typeof createSender>, ReturnType<typeof createSender>];
  const decided: Delivery[] = [];

  /** Two hosts handle each timer at the same time, at its time. */
  async function pass(ms: number): Promise<void> {
    const until = now() + ms;
    for (let rounds = 0; ; rounds++) {
      expect(rounds).toBeLessThan(1_000);
      const [first] = (await openTimers(dynamo)).filter(({ due }) => due <= until);
      if (first === undefined) break;
      if (first.due > now()) clock.advance(first.due - now());
      await Promise.all([one, other].map(({ runner }) => runner.look()));
      await Promise.all([one, other].map(({ runner }) => runner.pause()));
    }
    clock.advance(until - now());
  }

  const nameOf = ({ id }: Delivery): string => encodeId('Delivery', id);
  const namesIn = ({ deliveries }: Request): string[] => deliveries.map(({ id }) => id);

  async function perform(step: Act): Promise<void> {
    if (step.type === 'decide') {
      for (let i = 0; i < step.count; i++) decided.push(await one.decide(newId()));
    } else if (step.type === 'pass') await pass(step.seconds * SECOND);
    else if (step.type === 'respond') how = step.how;
    else if (step.type === 'hold') {
      // One of each four people.
      for (const { id } of decided.filter((_, i) => i % 4 === 0))
        heldUntil.set(id, now() + step.seconds * SECOND);
    } else {
      const last = decided.at(-1);
      if (last === undefined) return;
      const before = requests.length;
      readIds.add(last.id);
      await pass(RETRY_AFTER_S * SECOND);
      expect(requests.slice(before).flatMap(namesIn)).not.toContain(nameOf(last));
    }
  }

  for (const step of acts) await perform(step);
  next = () => 'none';
  how = endsGone ? 'gone' : 'ok';
  await pass(DAY);
  expect(await openTimers(dynamo)).toEqual([]);

  const wasHeld = new Set([...heldUntil.keys()].map((id) => encodeId('Delivery', id)));
  const idOf = new Map<string, string>();
  const previous = new Map<string, Request>();
  for (const request of requests) {
    expect(request.deliveries.length).toBeGreaterThan(0);
    expect(request.deliveries.length).toBeLessThanOrEqual(BATCH_MAX);
    const before = previous.get(request.id);
    // A repeated request has nothing that the first one did not have, and waits as long as the receiver asked for,
    // unless the host died before it had stored that.
    if (before !== undefined) {
      expect(namesIn(before)).toEqual(expect.arrayContaining(namesIn(request)));
      const isStored = !diedAt.some((at) => at >= before.at && at <= request.at);
      const wait = before.how === 'busy' && isStored ? RETRY_AFTER_S * SECOND : SECOND;
      expect(request.at - before.at).toBeGreaterThanOrEqual(wait);
    }
    previous.set(request.id, request);
    for (const name of namesIn(request)) {
      if (!wasHeld.has(name)) expect(idOf.get(name) ?? request.id).toBe(request.id);
      idOf.set(name, request.id);
    }
  }
  // A receiver that drops what it has handled, by the id of the request.
  const handled = new Set<string>();
  const kept = new Set<string>();
  for (const request of requests.filter((one) => one.how === 'ok')) {
    if (handled.has(request.id)) continue;
    handled.add(request.id);
    for (const name of namesIn(request)) kept.add(name);
  }
  for (const delivery of decided) {
    const { outcome } = await one.stored(delivery);
    const told = requests.filter((request) => namesIn(request).includes(nameOf(delivery)));
    expect(told.every(({ at }) => at >= delivery.decidedAt)).toBe(true);
    const isAccepted = told.some((request) => request.how === 'ok');
    // It may have been accepted by an attempt whose end was not recorded, and been read, or the webhook gone, before
    // the next one.
    if (outcome === 'SENT') expect([isAccepted, kept.has(nameOf(delivery))]).toEqual([true, true]);
    else if (outcome === 'NOTHING_LEFT') expect(readIds.has(delivery.id)).toBe(true);
    else expect([outcome, endsGone]).toEqual(['SWITCHED_OFF', true]);
  }
  // Nothing is sent to a webhook that is gone, but what the other host was about to send.
  expect(requests.filter((request) => request.how === 'gone').length).toBeLessThanOrEqual(2);
  await receiver.stop();
}
