/** Jobs on tags under crashes, two processes at once, and a user who saves and removes meanwhile. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createPersonJobs } from '../../../src/jobs/personJobs.ts';
import { createJobRunner } from '../../../src/jobs/runner.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import { createTagJobs, DELETE, MERGE, PUBLISH } from '../../../src/saved/jobs/tagJobs.ts';
import { createSaving } from '../../../src/saved/saving.ts';
import { JoinRoom } from '../../support/clients/operations.ts';
import { type Person, people, rawId, roomOf } from '../../support/clients/people.ts';
import { Killed, killedAt, killedWhen } from '../../support/database/killedAt.ts';
import { budget } from '../../support/run/budget.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { openTimers } from '../../timers/support/timers.ts';
import { storedOf } from '../support/stored.ts';

let app: TestApp;
let room = '';
let roomId = '';
let owner: Person;
beforeAll(async () => {
  // Without a consumer: the test runs the jobs.
  app = await startTestApp({ role: 'api' });
  [owner] = await people(app, 1);
  roomId = await roomOf(owner);
  room = rawId(roomId);
});
afterAll(() => app?.stop());

const name = (text: string) => ({ shown: text, folded: text });
const unlimited = { reserve: () => 0, settle() {} };
const POOL = ['a', 'b', 'c'];
const someTags = fc.subarray(POOL);

const round = fc.record({
  processes: fc.array(
    fc.record({
      kill: fc.option(fc.record({ writes: fc.integer({ min: 1, max: 3 }), when: killedWhen }), {
        nil: undefined,
      }),
      steps: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  /** What the user does meanwhile with one of the messages; no tags: it is removed. */
  user: fc.option(fc.tuple(fc.nat({ max: 5 }), fc.option(someTags, { nil: undefined })), { nil: undefined }),
});

const kind = fc.constantFrom(MERGE, DELETE, PUBLISH);
const { numRuns, timeout, within } = budget({ runs: 12, seconds: 8 });

test(
  'jobs on tags: they end as in one go; every entry is in its lists and counts are right after each round',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someTags, { minLength: 1, maxLength: 6 }),
        kind,
        fc.array(round, { maxLength: 8 }),
        within(async (first, what, rounds) => {
          const [ben] = await people(app, 1);
          await ben.do(JoinRoom, { roomId });
          const { dynamo } = app;
          let time = Date.now() + 3_600_000;
          const now = () => ++time;
          const saving = createSaving({ dynamo, timestamps: createTimestamps() });
          const messages: MessageKey[] = [];
          for (const tags of first) {
            const message = await app.services.messages.send({ room, author: owner.id, body: 'something' });
            const key = { room: message.room, threadTs: message.threadTs, ts: message.ts };
            messages.push(key);
            await saving.save({ user: ben.id, ...key }, { tags: tags.map(name) }, { known: false });
          }
          const idOf = async (of: string) =>
            (await dynamo.get(keys.savedTagName(ben.id, of)))?.tag as string | undefined;
          const [a, b] = [await idOf('a'), await idOf('b')];
          if (a === undefined || (what === MERGE && b === undefined)) return;
          const about = {
            user: ben.id,
            tag: a,
            name: 'a',
            into: b ?? '',
            intoName: 'b',
            intoFolded: 'b',
            visibility: 'PUBLIC',
            expected: first.filter((tags) => tags.includes('a')).length,
          };
          const { add } = createPersonJobs({ dynamo, now });
          const job = await add(ben.id, { kind: what, about, total: about.expected });
          const timers = async () =>
            (await openTimers(dynamo)).filter((one) => one.owner === `jobs:${ben.id}`);

          async function handle(
            kill: { writes: number; when: 'before' | 'after' } | undefined,
            steps: number,
          ) {
            const [due] = await timers();
            if (due === undefined) return;
            const own = kill === undefined ? dynamo : killedAt(dynamo, kill);
            let left = steps;
            const run = { shouldYield: () => --left <= 0, also: [], add() {} };
            const { kinds } = createTagJobs({ dynamo: own });
            try {
              const runners = createJobRunner({ dynamo: own, kinds, now, budget: unlimited });
              await runners.find((one) => one.name === due.kind)?.handle(due, run);
              await own.remove(keys.timer(due.due, due.id));
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          }

          for (const { processes, user } of rounds) {
            const meanwhile = async () => {
              const message = messages[user?.[0] ?? 9];
              if (user === undefined || message === undefined) return;
              const key = { user: ben.id, ...message };
              if (user[1] === undefined) await saving.remove(key);
              else await saving.save(key, { tags: user[1].map(name) }, { known: false });
            };
            await Promise.all([
              ...processes.map(({ kill, steps }) =>
                handle(kill as { writes: number; when: 'before' | 'after' } | undefined, steps),
              ),
              meanwhile(),
            ]);
            expect((await storedOf(dynamo, ben.id)).faults).toEqual([]);
          }
          const before = await storedOf(dynamo, ben.id);
          for (let i = 0; i < 20 && (await timers()).length > 0; i++) await handle(undefined, 3);

          const { entries, faults } = await storedOf(dynamo, ben.id);
          expect(faults).toEqual([]);
          const end = await dynamo.get(keys.personJob(ben.id, job.id));
          if (end?.state === 'DONE') expect(end.done).toBe(end.total);
          if (what === PUBLISH) {
            expect(['DONE', 'FAILED']).toContain(end?.state);
            // With FAILED the tag was gone.
            if (end?.state === 'DONE' && rounds.length === 0)
              expect(
                entries.every(({ tags, visibility }) => !tags.includes(a) || visibility === 'PUBLIC'),
              ).toBe(true);
            return;
          }
          expect(end?.state).toBe('DONE');
          // A tag of this name that the user made after the end has another id.
          expect(entries.flatMap(({ tags }) => tags)).not.toContain(a);
          expect(await dynamo.get(keys.savedTag(ben.id, a))).toBeUndefined();
          // No entry is lost, and only the tag has changed in what was left to do.
          expect(entries.map(({ ts }) => ts).sort()).toEqual(before.entries.map(({ ts }) => ts).sort());
          const into = what === MERGE ? await idOf('b') : undefined;
          for (const { ts, tags } of before.entries) {
            const expected = new Set(
              tags.flatMap((tag) => (tag === a ? (into === undefined ? [] : [into]) : [tag])),
            );
            expect(new Set(entries.find((entry) => entry.ts === ts)?.tags)).toEqual(expected);
          }
        }),
      ),
      { numRuns },
    );
  },
  timeout,
);
