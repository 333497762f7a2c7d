import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDerivations } from '../../src/app/features.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Change } from '../../src/stream/change.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { silent } from '../stream/support/stream.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead } from '../support/clients/operations.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { dump, positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { readStream } from '../support/stream/stream.ts';
import { MarkRoomUnread } from '../unread/support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  // Otherwise a read position may be written between two looks at the table.
  app = await startTestApp({ putOffMs: 0 });
  await changeEverything();
});
afterAll(() => app.stop());

/** Makes changes of each kind that leaves a record in the stream. */
async function changeEverything(): Promise<void> {
  const [aki, ben, chi] = await people(app, 3);
  const [lobby, club] = [await roomOf(aki, [ben, chi]), await roomOf(ben, [aki])];
  const all = [aki, ben, chi];
  await Promise.all(all.flatMap((person) => [1, 2, 3, 4, 5, 6].map((n) => say(person, lobby, `root ${n}`))));
  const root = await say(ben, club, 'club root');
  await Promise.all([aki, ben].flatMap((person) => [1, 2, 3].map((n) => say(person, club, `${n}`, root.id))));
  const [edited, deleted] = [await say(chi, lobby, 'first'), await say(chi, lobby, 'second')];
  await chi.do(EditMessage, { messageId: edited.id, body: 'otherwise' });
  await chi.do(DeleteMessage, { messageId: deleted.id });
  await aki.do(MarkRoomRead, { input: { roomId: lobby, upTo: edited.id } });
  await ben.do(MarkRoomUnread, { messageId: edited.id });
  await chi.do(LeaveRoom, { roomId: lobby });
  await chi.do(JoinRoom, { roomId: lobby });
  await Promise.all([lobby, club].map((room) => positioned(app.dynamo, rawId(room))));
  await app.quiet();
}

/** Passes the changes to new handlers, which have nothing in memory. */
async function handleAgain(dynamo: Dynamo, batches: readonly (readonly Change[])[]): Promise<void> {
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const failed: unknown[] = [];
  const dispatcher = createDispatcher({
    handlers: createDerivations({ dynamo, publisher, retention: 30 * 24 * 3600, now: Date.now }).handlers,
    deadLetter: async (change, handler, error) => {
      failed.push({ change, handler, error });
    },
    log: silent,
  });
  for (const batch of batches) await dispatcher.dispatch(batch);
  expect(failed).toEqual([]);
  await publisher.stop();
  await bus.close();
}

test.each([
  ['in one batch', (changes: Change[]) => [changes]],
  ['change by change', (changes: Change[]) => changes.map((change) => [change])],
  ['twice', (changes: Change[]) => [changes, changes]],
])('stream handlers: the whole stream again, %s, changes nothing in the table', async (_, batches) => {
  const changes = await readStream(app.database);
  expect(changes.length).toBeGreaterThan(60);
  const before = await dump(app.dynamo);
  await handleAgain(app.dynamo, batches(changes));
  expect(await dump(app.dynamo)).toEqual(before);
});
