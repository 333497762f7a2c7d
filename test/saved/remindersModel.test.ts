/**
 * Reminders under crashes, two processes at once, and users who move them meanwhile: each is due once, or taken back.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createDerivations } from '../../src/app/features.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { TsudoiError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { remindedAtOf } from '../../src/saved/entry.ts';
import { REMINDER_TIMER } from '../../src/saved/reminders/reminder.ts';
import type { Timer } from '../../src/timers/timer.ts';
import { openScheduling } from '../scheduled/support/scheduling.ts';
import { silent } from '../stream/support/stream.ts';
import { Killed, killedAt, killedWhen } from '../support/database/killedAt.ts';
import { itemsIn } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { followStream } from '../support/stream/stream.ts';
import { storedOf } from './support/stored.ts';

const opened = openScheduling({ timerKind: REMINDER_TIMER });
afterAll(async () => (await opened).stop());

/** Undefined: it is not killed. Ending a reminder is one write, and the deletion of the timer another. */
const kill = fc.option(
  fc.record({
    writes: fc.integer({ min: 1, max: 2 }),
    when: killedWhen,
  }),
  { nil: undefined },
);
const ACTS = ['move', 'clear', 'remove', 'note', 'publish', 'leave', 'join'] as const;
const act = fc.record({ what: fc.constantFrom(...ACTS), message: fc.nat({ max: 2 }) });
const round = fc.record({
  /** Several have read the same timer: one of them was suspended, and is awake again. */
  processes: fc.array(kill, { minLength: 1, maxLength: 2 }),
  timer: fc.nat({ max: 3 }),
  /** While they run. */
  act: fc.option(act, { nil: undefined, freq: 3 }),
  seconds: fc.constantFrom(0, 30, 60, 120),
});

const { numRuns, timeout, within } = budget({ runs: 40, seconds: 8 });

test(
  'each time that was set is due once, or was taken back; the user has one notification of each message',
  async () => {
    const system = await opened;
    const { dynamo, services } = system.app;
    const { saved, rooms, users, messages } = services;
    const publisher = createPublisher({ bus: createMemoryBus({ log: silent }), log: silent });
    const { handlers } = createDerivations({ dynamo, publisher, retention: 3_600, now: system.now });
    const notifications = handlers.find(({ name }) => name === 'notifications');
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { maxLength: 12 }),
        within(async (rounds) => {
          const readStream = await followStream(system.database);
          const [owner, user] = (await Promise.all(
            ['owner', 'user'].map((sub) => users.ensure({ sub: `${sub}${newId()}`, name: sub })),
          )) as [string, string];
          const { id: room } = await rooms.create(owner, {
            name: 'Room',
            topic: null,
            visibility: 'PUBLIC',
            capacity: null,
          });
          await rooms.join(user, room);
          const sent = await Promise.all(
            ['a', 'b', 'c'].map((body) => messages.send({ room, author: owner, body })),
          );
          const keyed = sent.map(({ threadTs, ts }) => ({ user, room, threadTs, ts }));
          const remindAt = system.now() + 60_000;
          for (const key of keyed) await saved.save(key, { remindAt }, { known: false });

          async function handle(timer: Timer, how: (typeof rounds)[number]['processes'][number]) {
            try {
              await system.handle(timer, how === undefined ? dynamo : killedAt(dynamo, how));
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          }
          /** It is not saved any more, or the user is in the room already, or not any more. */
          const ignoreRefused = (error: unknown) => {
            if (!(error instanceof TsudoiError)) throw error;
          };
          async function perform({ what, message }: { readonly what: string; readonly message: number }) {
            const key = keyed[message];
            if (key === undefined) return;
            if (what === 'leave') await rooms.leave(user, room);
            else if (what === 'join') await rooms.join(user, room);
            else if (what === 'remove') await saved.remove(key);
            else {
              const change = {
                move: { remindAt: system.now() + 90_000 },
                clear: { remindAt: null },
                publish: { visibility: 'PUBLIC' as const },
              }[what] ?? { note: newId() };
              await saved.save(key, change, { known: what !== 'move' });
            }
          }

          for (const one of rounds) {
            system.clock.advance(one.seconds * 1_000);
            const due = (await system.timers()).filter((timer) => timer.due <= system.now());
            const timer = due[one.timer % Math.max(1, due.length)];
            await Promise.all([
              ...(timer === undefined ? [] : one.processes.map((each) => handle(timer, each))),
              ...(one.act === undefined ? [] : [perform(one.act).catch(ignoreRefused)]),
            ]);
          }
          system.clock.advance(180_000);
          for (const timer of await system.timers()) await system.handle(timer);
          expect(await system.timers()).toEqual([]);
          const { entries, faults } = await storedOf(dynamo, user);
          expect(faults).toEqual([]);
          expect(entries.filter((entry) => entry.remindAt !== null)).toEqual([]);

          const changes = await readStream();
          const last = new Map<string, number>();
          for (const { key, old, new: item } of changes) {
            if (key.type !== 'saved' || key.user !== user) continue;
            const at = remindedAtOf(item);
            if (at === undefined || at === remindedAtOf(old)) continue;
            // It was open until then, and ends with this.
            expect([old?.remindAt, item?.remindAt]).toEqual([at, undefined]);
            expect(at).toBeGreaterThan(last.get(key.ts) ?? 0);
            last.set(key.ts, at);
          }
          // Records arrive more than once.
          for (const part of [changes.slice(0, 40), changes, changes.slice(20)]) {
            await notifications?.handle(part);
          }
          const found = (await itemsIn(dynamo, ranges.notifications(user))).filter(
            ({ kind }) => kind === 'REMINDER',
          );
          const shown = found.map(({ c, count, updatedAt }) => [c, count, updatedAt]).sort();
          expect(shown).toEqual([...last].map(([ts, at]) => [ts, 1, toTimestamp(at * 1_000)]).sort());
        }),
      ),
      { numRuns },
    );
  },
  timeout,
);
