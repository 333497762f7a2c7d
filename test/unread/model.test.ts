import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ofRooms, queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate, type StreamGate } from '../support/stream/streamGate.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';
import { commands, expectedBadge, newModel, type Real, settled } from './support/model.ts';

const PEOPLE = 4;
const ROOMS = 3;
/** How many of the users have an open badge at the beginning. */
const WITH_BADGE = 3;
const { numRuns, timeout, start: startBudget } = budget({ runs: 1, seconds: 6 });

async function start(app: TestApp, gate: StreamGate): Promise<Real> {
  const users = await people(app, PEOPLE);
  const [first, ...others] = users;
  const rooms: Real['rooms'][number][] = [];
  for (let i = 0; i < ROOMS; i++) {
    rooms.push({ id: await roomOf(first, i === ROOMS - 1 ? [] : others), messages: [] });
  }
  const badges = users.slice(0, WITH_BADGE).map((one, person) => ({ person, badge: watchBadge(one) }));
  for (const { badge } of badges) await badge.next();
  return { app, gate, people: users, rooms, badges };
}

/** Runs the commands, then compares every badge with the model. */
const holds = (app: TestApp, gate: StreamGate, isOver = startBudget()) =>
  fc.assert(
    fc.asyncProperty(commands(PEOPLE, ROOMS), async (steps) => {
      if (isOver()) return;
      const model = newModel(ROOMS, PEOPLE);
      const real = await start(app, gate);
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
        gate.open();
        await settled(real);
        for (const [i, person] of real.people.entries()) {
          expect(ofRooms(await queryBadge(person))).toEqual(expectedBadge(model, real, i));
        }
        for (const { person, badge } of real.badges)
          await shows(badge, expectedBadge(model, real, person), ofRooms);
      } finally {
        gate.open();
        for (const { badge } of real.badges) badge.close();
        await Promise.all(real.people.map((person) => person.close()));
      }
    }),
    // Shrinking is of no use: a race does not repeat when fewer commands run again.
    { numRuns, endOnFailure: true },
  );

test(`unread model: queries and all open badges follow the rules (seed ${seed})`, {
  timeout,
}, async () => {
  const gate = createStreamGate();
  const app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
  try {
    await holds(app, gate);
  } finally {
    await app.stop();
  }
});

test(`unread model: the same when the stream repeats itself and batches are cut short (seed ${seed})`, {
  timeout,
}, async () => {
  const gate = createStreamGate();
  const repeats = createStreamRepeats(seed);
  const app = await startTestApp({
    wrapDispatcher: (dispatcher) => gate.wrapDispatcher(repeats(dispatcher)),
  });
  try {
    await holds(app, gate);
  } finally {
    await app.stop();
  }
});
