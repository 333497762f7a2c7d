/** A model: a table changes its shape, forth and back, while random clients use it. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import { keyOf, keys, parseKey } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { createChanges } from '../../src/messages/change.ts';
import type { Message } from '../../src/messages/message.ts';
import { createSending } from '../../src/messages/send.ts';
import { createReactionServices, REACTIONS } from '../../src/reactions/registry.ts';
import { heartbeatItem } from '../../src/reshape/heartbeats.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { Killed, killedAt, killedWhen } from '../support/database/killedAt.ts';
import { budget } from '../support/run/budget.ts';
import { createRehearsal, messagesIn } from './support/job.ts';
import { empty, LONG, putRoom, RATE, textOf } from './support/messages.ts';

let database: TestDynamo;
let dynamo: Dynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  ({ dynamo } = database);
});
afterAll(() => database.stop());

const crash = fc.record({ writes: fc.integer({ min: 1, max: 3 }), when: killedWhen });
const server = fc.constantFrom(0, 1);
const of = fc.nat({ max: 20 });
interface Act {
  readonly what: 'send' | 'edit' | 'delete' | 'like' | 'look' | 'step' | 'back' | 'start';
  /** The message, by its number. */
  readonly of?: number;
  readonly long?: boolean;
  /** It writes the shape that it saw when it last looked, which may be long ago. */
  readonly server?: number;
  readonly kill?: { readonly writes: number; readonly when: 'before' | 'after' } | undefined;
}
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ what: fc.constant('send' as const), long: fc.boolean(), server }),
  fc.record({ what: fc.constant('edit' as const), of, long: fc.boolean(), server }),
  fc.record({ what: fc.constantFrom('delete' as const, 'like' as const), of, server }),
  fc.record({ what: fc.constant('look' as const), server }),
  fc.record({ what: fc.constant('step' as const), kill: fc.option(crash, { nil: undefined }) }),
  fc.record({ what: fc.constantFrom('back' as const, 'start' as const) }),
);
const OF_OPERATORS: ReadonlySet<string> = new Set(['step', 'back', 'start']);
const { numRuns, timeout, within } = budget({ runs: 25, seconds: 20 });

test(
  'random clients, late servers and killed steps, back and forth: no text is lost, torn or left behind',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 20 }),
        fc.constantFrom('look' as const, 'leave' as const),
        within(async (rounds, ends) => {
          await empty(dynamo);
          const rehearsal = createRehearsal(dynamo);
          const room = newId();
          await putRoom(dynamo, room);
          const timestamps = createTimestamps();
          const servers = ['a', 'b'].map((name) => {
            let shape = FIRST_SHAPE;
            const own = createDynamo({ ...database, timeouts: dynamo.timeouts, shape: () => shape });
            const common = { dynamo: own, timestamps, extensions: REACTIONS };
            const say = (follows: number) =>
              dynamo.put(heartbeatItem({ server: name, host: 'h', knows: [1, 2], follows }, 1e12));
            return {
              ...createSending(common),
              ...createChanges(common),
              ...createReactionServices(common),
              say,
              async look() {
                const found = await readTableShape(dynamo);
                shape = found.inForce;
                await say(found.version);
              },
              leave: () => dynamo.remove(keys.heartbeat(name)),
            };
          });
          for (const one of servers) await one.say(0);
          const expected = new Map<string, string | null>();
          const sent: Message[] = [];
          let number = 0;
          const text = (long = false) => `${++number} ${long ? LONG : 'short'}`;
          const quietly = (work: Promise<unknown>) => work.catch(() => undefined);

          async function perform(one: Act): Promise<void> {
            if (one.what === 'step') {
              const { version, change } = await rehearsal.status();
              const own = one.kill === undefined ? dynamo : killedAt(dynamo, one.kill);
              if (change === undefined) return;
              await rehearsal.step(version, own).catch((error: unknown) => {
                if (!(error instanceof Killed)) throw error;
              });
              return;
            }
            if (one.what === 'back' || one.what === 'start') {
              await quietly(one.what === 'back' ? rehearsal.back() : rehearsal.start({ rate: RATE }));
              rehearsal.begin();
              return;
            }
            const server = servers[one.server ?? 0];
            if (server === undefined) return;
            if (one.what === 'look') return server.look();
            if (one.what === 'send') {
              const body = text(one.long);
              const message = await server.send({ room, author: 'aki', body });
              sent.push(message);
              expected.set(message.ts, body);
              return;
            }
            const message = sent[one.of ?? 0];
            if (message === undefined) return;
            if (one.what === 'like') await quietly(server.likes.add('aki', message));
            else if (one.what === 'delete') {
              await server.remove('aki', message);
              expected.set(message.ts, null);
            } else if (expected.get(message.ts) !== null) {
              const body = text(one.long);
              await server.edit('aki', message, body).then(
                () => expected.get(message.ts) !== null && expected.set(message.ts, body),
                () => undefined,
              );
            }
          }

          for (const round of rounds) {
            // What changes one message is done in turn, so that it is known which text is the last.
            const clients = round.filter(({ what }) => !OF_OPERATORS.has(what));
            const others = round.filter(({ what }) => OF_OPERATORS.has(what));
            const inTurn = async (acts: readonly Act[]) => {
              for (const one of acts) await perform(one);
            };
            await Promise.all([inTurn(clients), inTurn(others)]);
            for (const message of sent) expect(await textOf(dynamo, message)).toBe(expected.get(message.ts));
          }
          for (const one of servers) await (ends === 'look' ? one.look() : one.leave());
          const { change } = await rehearsal.status();
          if (change !== undefined) await rehearsal.goOn();
          for (const message of sent) expect(await textOf(dynamo, message)).toBe(expected.get(message.ts));
          const { inForce } = await rehearsal.status();
          const left = Object.values(await messagesIn(dynamo));
          const bodies = left.filter((item) => parseKey(keyOf(item)).type === 'body');
          const apart = left.filter(({ bodyApart }) => bodyApart === true);
          expect(bodies).toHaveLength(apart.length);
          if (change !== undefined) {
            const long = [...expected.values()].filter((body) => body !== null && body.length > 400);
            expect(apart).toHaveLength(inForce === 2 ? long.length : 0);
          }
        }),
      ),
      { numRuns },
    );
  },
  timeout,
);
