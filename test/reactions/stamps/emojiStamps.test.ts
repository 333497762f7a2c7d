import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import { graphql } from '../../generated/gql.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { AddStamp, DeleteStamped, RemoveStamp } from './support/operations.ts';
import { put, stampsOf } from './support/stamps.ts';

const StampById = graphql(`
  query StampById($id: ID!) { node(id: $id) { ... on Stamp { id key label imageUrl emoji } } }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const room = () => createRoomWithMessage(app);
const keysOf = async (who: Parameters<typeof stampsOf>[0], message: string) =>
  (await stampsOf(who, message)).stampCounts.map(({ stamp, count }) => [stamp.key, count]);

test('addStamp: takes any emoji, which has no picture, and a node finds it and pictures by their ids', async () => {
  const { aki, ben, message } = await room();
  const { stamp } = await put(ben, message, '🦦');
  const otter = { key: '🦦', label: '🦦', imageUrl: null, emoji: '🦦' };
  expect(stamp).toEqual(otter);
  const { node: emoji } = await aki.do(StampById, { id: encodeId('Stamp', 'emoji:1f9a6') });
  expect(emoji).toEqual({ id: encodeId('Stamp', 'emoji:1f9a6'), ...otter });
  const { node: picture } = await aki.do(StampById, { id: encodeId('Stamp', 'thumbs-up') });
  expect(picture).toMatchObject({ key: 'thumbs-up', emoji: null });
  // Two emoji, one that is not fully qualified, a letter, and texts that are not code points.
  for (const id of [
    'emoji:1f9a6-1f9a6',
    'emoji:2764',
    'emoji:61',
    'emoji:01f9a6',
    'emoji:ffffff',
    'emoji:',
    'no',
  ]) {
    expect((await aki.do(StampById, { id: encodeId('Stamp', id) })).node, id).toBeNull();
  }
});

test('addStamp: with and without variation selectors it is the same emoji', async () => {
  const { aki, ben, message } = await room();
  await put(ben, message, '❤');
  expect(await ben.refused(AddStamp, { messageId: message, stamp: '❤️' })).toBe('CONFLICT');
  await put(aki, message, '❤️');
  // The picture of the catalogue is another stamp, and so is another skin tone.
  await put(aki, message, 'heart');
  await put(aki, message, '👋🏽');
  await put(ben, message, '👋');
  expect(await keysOf(aki, message)).toEqual([
    ['heart', 1],
    ['❤️', 2],
    ['👋', 1],
    ['👋🏽', 1],
  ]);
});

test('removeStamp, deleteMessage: work with emoji that contain # and with the longest', async () => {
  const { aki, ben, message } = await room();
  const longest = '👨🏻‍❤️‍💋‍👨🏿';
  const { id } = await put(ben, message, '#️⃣');
  await put(ben, message, longest);
  await ben.do(RemoveStamp, { messageStampId: id });
  expect(await keysOf(aki, message)).toEqual([[longest, 1]]);
  await put(ben, message, '#️⃣');
  await aki.do(DeleteStamped, { messageId: message });
  expect(await keysOf(aki, message)).toEqual([]);
});

test('addStamp: the bound on different stamps holds for emoji', async () => {
  const { aki, ben, message } = await room();
  const fifty = [
    ...'🐀🐁🐂🐃🐄🐅🐆🐇🐈🐉🐊🐋🐌🐍🐎🐏🐐🐑🐒🐓🐔🐕🐖🐗🐘🐙🐚🐛🐜🐝🐞🐟🐠🐡🐢🐣🐤🐥🐦🐧🐨🐩🐪🐫🐬🐭🐮🐯🐰🐱',
  ];
  for (const emoji of fifty) await put(ben, message, emoji);
  const { errors } = await ben.send(AddStamp, { messageId: message, stamp: '🦦' });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'LIMIT_REACHED' });
  await put(aki, message, '🐀');
  expect(await keysOf(aki, message)).toHaveLength(50);
});
