/** What a user has saved and scheduled ends with their account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { keyOf, parseKey } from '../../src/dynamo/keys.ts';
import { REMINDER_TIMER } from '../../src/saved/reminders/reminder.ts';
import { SCHEDULED_TIMER } from '../../src/scheduled/scheduledMessage.ts';
import { verify } from '../../src/verify/verify.ts';
import { deployed } from '../process/support/run.ts';
import { RemoveSavedMessage, SaveMessage } from '../saved/support/operations.ts';
import { scheduling } from '../scheduled/support/scheduling.ts';
import { programFile } from '../support/builds/build.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { runProgram } from '../support/servers/program.ts';
import { endJobs } from './support/jobs.ts';
import { DeleteAccount } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

/** More messages, tags of their own, reminders and scheduled messages than one step of the job deletes (25). */
const MANY = 30;
/** The types of items that a user has for what they saved and scheduled. */
const TYPES = [
  ...['saved', 'savedRow', 'savedTag', 'savedTagName', 'savedCounts', 'reminder'],
  ...['scheduledMessage', 'scheduledCount', 'timer'],
];

/** How many items of each type name a user, in their key or elsewhere. */
async function namingItems({ id }: Person): Promise<Record<string, number>> {
  const found = [...(await dump(app.dynamo)).values()]
    .filter((item) => JSON.stringify(item).includes(id))
    .map((item) => ({ kind: item.kind, type: parseKey(keyOf(item)).type }))
    .filter(({ type, kind }) => type !== 'timer' || kind === REMINDER_TIMER || kind === SCHEDULED_TIMER);
  return Object.fromEntries(
    TYPES.flatMap((type) => {
      const count = found.filter((one) => one.type === type).length;
      return count === 0 ? [] : [[type, count]];
    }),
  );
}

async function withMany() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(ben, [aki]);
  const { schedule, at } = scheduling({ now: Date.now });
  for (let i = 0; i < MANY; i++) {
    const { id: messageId } = await say(ben, roomId, `Message ${i}`);
    const visibility = i % 2 === 0 ? ('PUBLIC' as const) : ('PRIVATE' as const);
    const tags = [`only ${i}`, 'all of them', ...(i % 3 === 0 ? ['some'] : [])];
    await aki.do(SaveMessage, {
      input: { messageId, visibility, tags, note: 'Mine', remindAt: at(3_600) },
    });
    if (i < 3) await ben.do(SaveMessage, { input: { messageId, tags: ['all of them'] } });
    await schedule(aki, { roomId, seconds: 3_600 });
  }
  const { id: messageId } = await say(ben, roomId, 'Removed');
  await aki.do(SaveMessage, { input: { messageId, tags: ['removed'] } });
  await aki.do(RemoveSavedMessage, { input: { messageId } });
  return { aki, ben };
}

async function forget({ handle }: Person): Promise<void> {
  const program = await runProgram({
    command: [process.execPath, await programFile('cli/forget'), handle],
    env: deployed({ DYNAMODB_ENDPOINT: app.database.endpoint, TABLE_NAME: app.database.table }),
  });
  const { code } = await program.ended;
  expect([code, program.stderr]).toEqual([0, '']);
}

test.each([
  [
    'deleteAccount',
    (person: Person) => person.do(DeleteAccount, { input: { confirm: person.handle, eraseMessages: false } }),
  ],
  ['npm run forget', forget],
] as const)('%s: leaves nothing of what the user saved and scheduled, with many tags', async (_name, end) => {
  const { aki, ben } = await withMany();
  const before = await namingItems(aki);
  expect(before).toMatchObject({ saved: MANY + 1, savedTag: MANY + 2, savedTagName: MANY + 2 });
  expect(before).toMatchObject({ reminder: MANY, scheduledMessage: MANY, timer: 2 * MANY });
  const others = await namingItems(ben);
  await end(aki);
  await endJobs(app);
  expect(await namingItems(aki)).toEqual({});
  expect(await namingItems(ben)).toEqual(others);
  expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
});
