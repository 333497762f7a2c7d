import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Dispatcher } from '../../src/stream/dispatcher.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { connectTo, people, roomOf } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate, type StreamGate } from '../support/stream/streamGate.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';
import { eventually } from '../support/time/eventually.ts';
import {
  at,
  commands,
  derived,
  expectBadge,
  expectedUnread,
  newModel,
  type Real,
  settled,
} from './support/model.ts';
import { ExplainUnread } from './support/operations.ts';

const PEOPLE = 4;
const ROOMS = 3;
/** How many of the users have an open badge at the beginning. */
const WITH_BADGE = 3;
const { numRuns, timeout, start: startBudget } = budget({ runs: 1, seconds: 6 });

/** How far the clock of the second server is behind, in milliseconds. */
const BEHIND_MS = 60_000;

/** A server that reads the stream, and one whose messages get timestamps of a minute ago. */
interface Servers {
  readonly app: TestApp;
  readonly other: TestApp;
  readonly gate: StreamGate;
}

async function startServers(
  wrap: (dispatcher: Dispatcher) => Dispatcher = (same) => same,
): Promise<Servers & { stop(): Promise<void> }> {
  const gate = createStreamGate();
  const app = await startTestApp({ wrapDispatcher: (dispatcher) => gate.wrapDispatcher(wrap(dispatcher)) });
  const { database } = app;
  const other = await startTestApp({ database, role: 'api', now: () => Date.now() - BEHIND_MS });
  return {
    app,
    other,
    gate,
    async stop() {
      await other.stop();
      await app.stop();
    },
  };
}

async function start({ app, other, gate }: Servers): Promise<Real> {
  const users = await people(app, PEOPLE);
  const [first, ...others] = users;
  const rooms: Real['rooms'][number][] = [];
  for (let i = 0; i < ROOMS; i++) {
    rooms.push({ id: await roomOf(first, i === ROOMS - 1 ? [] : others), messages: [] });
  }
  const badges = users.slice(0, WITH_BADGE).map((one, person) => ({ person, badge: watchBadge(one) }));
  for (const { badge } of badges) await badge.next();
  const elsewhere = await Promise.all(users.map((one) => connectTo(other, one)));
  return { app, gate, people: users, elsewhere, rooms, badges };
}

/** Runs the commands, then compares every badge with the model. */
const holds = (servers: Servers, isOver = startBudget()) =>
  fc.assert(
    fc.asyncProperty(commands(PEOPLE, ROOMS), async (steps) => {
      if (isOver()) return;
      const model = newModel(ROOMS, PEOPLE);
      const real = await start(servers);
      const { gate } = servers;
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
        gate.open();
        await settled(real);
        await derived(model, real);
        for (const [i, person] of real.people.entries()) {
          await eventually(async () => expectBadge(model, real, i));
          for (const [roomId, unread] of expectedUnread(model, real, i)) {
            const { room } = await person.do(ExplainUnread, { roomId });
            expect(room?.explainUnread.map(({ id }) => id)).toEqual(unread);
          }
        }
        for (const { person, badge } of real.badges)
          await shows(badge, await queryBadge(at(real.people, person)));
      } finally {
        gate.open();
        for (const { badge } of real.badges) badge.close();
        await Promise.all([...real.people, ...real.elsewhere].map((person) => person.close()));
      }
    }),
    // Shrinking is of no use: a race does not repeat when fewer commands run again.
    { numRuns, endOnFailure: true },
  );

test(`unread model: queries and all open badges follow the rules (seed ${seed})`, {
  timeout,
}, async () => {
  const servers = await startServers();
  try {
    await holds(servers);
  } finally {
    await servers.stop();
  }
});

test(`unread model: the same when the stream repeats itself and batches are cut short (seed ${seed})`, {
  timeout,
}, async () => {
  const servers = await startServers(createStreamRepeats(seed));
  try {
    await holds(servers);
  } finally {
    await servers.stop();
  }
});
