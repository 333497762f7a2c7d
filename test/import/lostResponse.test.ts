import { expect, onTestFinished, test } from 'vitest';
import { createCommandServices } from '../../src/app/commandServices.ts';
import { OutageError } from '../../src/core/errors.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Write } from '../../src/dynamo/write.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { recount } from '../verify/support/recount.ts';
import { importInto, messagesIn } from './support/rows.ts';

const { room: roomId, person } = identitiesOf('flat');

test('what others do to a message that is added stays, if the response to its write was lost', async () => {
  const there = await openTestDynamo();
  onTestFinished(() => there.stop());
  await importInto(there.dynamo, messagesIn('lost', 1), { create: 'PUBLIC' });
  const room = roomId('lost');
  const { messages, likes } = createCommandServices(there.dynamo, silent);
  const user = person('u1');
  const keyOfRoot = (number: number) => {
    const ts = toTimestamp((1_700_000_000_000 + number) * 1_000);
    return { room, threadTs: ts, ts };
  };
  const added = [1, 2].map((number) => ({ ...messagesIn('lost', 3)[number], replyToId: undefined }));
  let lost = 0;
  /** Writes a new root, and loses the response after someone has seen the message. */
  async function losing<T>(writes: readonly Write[], write: () => Promise<T>): Promise<T> {
    const result = await write();
    const number = [1, 2].find((one) =>
      writes.some((some) => 'put' in some && some.put.body === `Number ${one}`),
    );
    if (number === undefined || lost >= number) return result;
    lost++;
    if (number === 1) await messages.remove(user, keyOfRoot(1));
    else await likes.add(user, keyOfRoot(2));
    throw new OutageError();
  }
  const dynamo: Dynamo = {
    ...there.dynamo,
    transact: (writes, options) => losing(writes, () => there.dynamo.transact(writes, options)),
    tryTransact: (writes, options) =>
      losing(
        Object.values(writes).flatMap((some) => some ?? []),
        () => there.dynamo.tryTransact(writes, options),
      ),
  };
  await importInto(dynamo, [...messagesIn('lost', 1), ...added], { unread: true });
  expect(lost).toBe(2);
  const [deleted, liked] = await there.dynamo.batchGet(
    [1, 2].map((one) => keys.root(room, keyOfRoot(one).ts)),
  );
  expect(deleted).toMatchObject({ deletedAt: expect.any(String), position: 2 });
  expect(deleted?.body).toBeUndefined();
  expect(liked).toMatchObject({ body: 'Number 2', likeCount: 1, position: 3 });
  expect(await recount(there.dynamo)).toEqual([]);
});
