/**
 * Scheduled messages under crashes, two processes at once, authors who change them meanwhile, and a limit of mentions
 * that makes some wait: each is sent once or not.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { TsudoiError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import type { Timer } from '../../src/timers/timer.ts';
import { verify } from '../../src/verify/verify.ts';
import { Killed, killedAt, killedWhen } from '../support/database/killedAt.ts';
import { itemsIn } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { openScheduling } from './support/scheduling.ts';

/** Of two messages that mention someone and are due together, one waits. */
const opened = openScheduling({ rates: { mentions: { max: 1, seconds: 60 } } });
afterAll(async () => (await opened).stop());

/** Undefined: it is not killed. Sending is one write, failing another, and the deletion of the timer one more. */
const kill = fc.option(
  fc.record({
    writes: fc.integer({ min: 1, max: 2 }),
    when: killedWhen,
  }),
  { nil: undefined },
);
const act = fc.record({
  what: fc.constantFrom(
    'edit' as const,
    'move' as const,
    'cancel' as const,
    'leave' as const,
    'join' as const,
  ),
  message: fc.nat({ max: 2 }),
});
const round = fc.record({
  /** Several have read the same timer: one of them was suspended, and is awake again. */
  processes: fc.array(kill, { minLength: 1, maxLength: 2 }),
  timer: fc.nat({ max: 3 }),
  /** While they run. */
  act: fc.option(act, { nil: undefined, freq: 3 }),
  seconds: fc.constantFrom(0, 30, 60, 120),
});

const { numRuns, timeout, within } = budget({ runs: 60, seconds: 8 });

test(
  'each message is sent once with its last text, or is cancelled, or has a failure',
  async () => {
    const system = await opened;
    const { dynamo, services } = system.app;
    const { scheduledMessages, rooms, users } = services;
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { maxLength: 15 }),
        within(async (rounds) => {
          const [owner, author] = (await Promise.all(
            ['owner', 'author'].map((sub) => users.ensure({ sub: `${sub}${newId()}`, name: sub })),
          )) as [string, string];
          const { id: room } = await rooms.create(owner, {
            name: 'Room',
            topic: null,
            visibility: 'PUBLIC',
            capacity: null,
          });
          await rooms.join(author, room);
          const texts = ['a @abc', 'b @abc', 'c'];
          const sendAt = system.now() + 60_000;
          const made = await Promise.all(
            texts.map((body) => scheduledMessages.schedule({ room, author, body, sendAt })),
          );
          const cancelled = new Set<string>();

          async function handle(
            timer: Timer,
            how: (typeof rounds)[number]['processes'][number],
          ): Promise<void> {
            try {
              await system.handle(timer, how === undefined ? dynamo : killedAt(dynamo, how));
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          }
          /** It was sent already, or the user is in the room already. */
          const ignoreRefused = (error: unknown) => {
            if (!(error instanceof TsudoiError)) throw error;
          };
          async function perform({ what, message }: { readonly what: string; readonly message: number }) {
            const { id } = made[message] ?? { id: '' };
            if (what === 'leave') await rooms.leave(author, room);
            else if (what === 'join') await rooms.join(author, room);
            else if (what === 'cancel') {
              if ((await scheduledMessages.cancel(author, id)) !== null)
                cancelled.add(texts[message]?.[0] ?? '');
            } else {
              const body = `${texts[message]}!`;
              const change = what === 'edit' ? { body } : { sendAt: system.now() + 90_000 };
              await scheduledMessages.update(author, id, change);
              if (what === 'edit') texts[message] = body;
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
          // Turns that were lost by a new time count, so the last one may wait for all of them.
          for (let left = await system.timers(); left.length > 0; left = await system.timers()) {
            system.clock.advance(180_000);
            for (const timer of left) if (timer.due <= system.now()) await system.handle(timer);
          }

          const sent = (await itemsIn(dynamo, ranges.roots(room))).map(({ body }) => String(body));
          const page = { limit: 50, from: undefined };
          const { nodes: left } = await scheduledMessages.list(author, page, createItemLoader(dynamo));
          expect(left.every(({ failure }) => failure !== null)).toBe(true);
          const ends = [...sent, ...left.map(({ body }) => body), ...cancelled]
            .map((body) => body.slice(0, 1))
            .sort();
          expect(ends).toEqual(['a', 'b', 'c']);
          for (const body of [...sent, ...left.map((one) => one.body)]) expect(texts).toContain(body);
          expect(await dynamo.get(keys.scheduledCount(author))).toMatchObject({ scheduled: left.length });
        }),
      ),
      { numRuns },
    );
    const own = counters.filter(({ name }) => name === 'scheduled messages');
    expect((await verify({ dynamo, counters: own, fix: false })).differences).toEqual([]);
  },
  timeout,
);
