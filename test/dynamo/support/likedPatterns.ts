/** The access patterns of the list of liked messages, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { messageItem, newMessage } from '../../../src/messages/message.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { likedRow } from '../../../src/reactions/likes/likedRow.ts';
import { reactionItem } from '../../../src/reactions/toggles/reaction.ts';
import { CostLiked } from '../../reactions/likes/support/liked.ts';
import { type Person, people, rawId, roomOf } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import type { CostFixture } from './costFixture.ts';
import type { Pattern } from './pattern.ts';

let reader: Person;
let roomId = '';

/** A user who likes `size` messages of one room. */
async function writeLikes({ aki, app, size }: CostFixture): Promise<void> {
  [reader] = await people(app, 1);
  roomId = await roomOf(aki, [reader]);
  const [room, start] = [rawId(roomId), Date.now() * 1_000];
  const items = Array.from({ length: size }, (_, i) => {
    const ts = toTimestamp(start + i);
    const message = { room, threadTs: ts, ts };
    const like = { ...message, user: reader.id, author: aki.id, at: toTimestamp(start + 60_000_000 - i) };
    return [
      messageItem(newMessage({ ...message, author: aki.id, body: 'z'.repeat(100), mentions: [] })),
      reactionItem(likesKind, like),
      likedRow(like),
    ];
  });
  await bulkWrite({
    dynamo: app.dynamo,
    items: items.flat(),
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

async function readPage(room: { readonly roomId?: string }): Promise<void> {
  expect((await reader.do(CostLiked, room)).viewer.likedMessages.edges).toHaveLength(10);
}

export const likedPatterns: readonly Pattern[] = [
  {
    name: '`Viewer.likedMessages`, a page of 10, of one room',
    before: writeLikes,
    run: () => readPage({}),
  },
  { name: '`Viewer.likedMessages` with `roomId`, a page of 10', run: () => readPage({ roomId }) },
];
