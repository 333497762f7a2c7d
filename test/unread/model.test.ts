import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { recount, shows, watchBadge } from '../support/badges.ts';
import { people, roomOf } from '../support/people.ts';
import { createStreamGate } from '../support/streamGate.ts';
import { commands, expectedBadge, newModel, type Real, settled } from './conversation.ts';

const PEOPLE = 4;
const ROOMS = 3;
/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ dispatching: gate.dispatching });
});
afterAll(() => app.stop());

async function start(): Promise<Real> {
  const everybody = await people(app, PEOPLE);
  const [first] = everybody;
  if (first === undefined) throw new Error('Nobody is there.');
  const rooms: Real['rooms'][number][] = [];
  for (let i = 0; i < ROOMS; i++) rooms.push({ id: await roomOf(first), messages: [] });
  const badge = watchBadge(first);
  await badge.next();
  return { app, gate, people: everybody, rooms, badges: [{ person: 0, badge }] };
}

test(`what is unread is what the rules say, counted afresh and on every open badge (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(commands(PEOPLE, ROOMS), async (steps) => {
      const model = newModel(ROOMS);
      const real = await start();
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
        gate.open();
        await settled(real);
        for (const [i, person] of real.people.entries()) {
          expect(await recount(person)).toEqual(expectedBadge(model, real, i));
        }
        for (const { person, badge } of real.badges) await shows(badge, expectedBadge(model, real, person));
      } finally {
        gate.open();
        for (const { badge } of real.badges) badge.close();
        await Promise.all(real.people.map((person) => person.close()));
      }
    }),
    { seed, numRuns: 20, endOnFailure: true },
  );
}, 60_000);
