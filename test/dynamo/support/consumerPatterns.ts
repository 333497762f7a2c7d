/** What the consumer does with one change each, by the names of the rows in docs/data-model.md. */
import { newId } from '../../../src/core/ids.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { createDeletionJob } from '../../../src/roomDeletion/deletionJob.ts';
import { globalId, rawId, roomOf, say } from '../../support/clients/people.ts';
import * as ask from './costOperations.ts';
import { at, body, consumed, type Pattern } from './pattern.ts';
import { resize } from './roomPatterns.ts';

let doomedId = '';
let stampId = '';
let sentId = '';

export const consumerPatterns: Pattern[] = [
  consumed('consumer: a new root', async ({ aki, roomId }) => {
    sentId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
  }),
  {
    name: 'consumer: a new root whose record arrives again',
    async before(fixture) {
      const { aki, roomId } = fixture;
      await fixture.consume();
      await aki.do(ask.CostSend, { input: { roomId, body } });
      await fixture.consume();
    },
    run: (fixture) => fixture.consumeAgain(),
  },
  consumed('consumer: ten new roots of one room in one batch', async ({ aki, roomId }) => {
    for (let n = 0; n < 10; n++) await aki.do(ask.CostSend, { input: { roomId, body } });
  }),
  consumed('consumer: a new reply, in a thread without other followers', ({ aki, roomId }) =>
    aki.do(ask.CostSend, { input: { roomId, body, replyTo: sentId } }),
  ),
  consumed('consumer: an edited message', ({ aki }) =>
    aki.do(ask.CostEdit, { messageId: sentId, body: 'changed' }),
  ),
  consumed('consumer: a deleted message, here a root with a reply', ({ aki }) =>
    aki.do(ask.CostDelete, { messageId: sentId }),
  ),
  consumed('consumer: a deleted message that had a stamp', async (fixture) => {
    const { aki, ben, roomId } = fixture;
    sentId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
    await ben.do(ask.CostStamp, { messageId: sentId, stamp: 'heart' });
    await fixture.consume();
    await aki.do(ask.CostDelete, { messageId: sentId });
  }),
  consumed('consumer: a deleted message that had a like', async (fixture) => {
    const { aki, ben, roomId } = fixture;
    sentId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
    await ben.do(ask.CostLike, { messageId: sentId });
    await fixture.consume();
    await aki.do(ask.CostDelete, { messageId: sentId });
  }),
  consumed('consumer: a like', ({ ben, liked }) => ben.do(ask.CostLike, { messageId: liked })),
  consumed('consumer: a removed like', ({ ben, liked }) => ben.do(ask.CostUnlike, { messageId: liked })),
  consumed('consumer: a stamp', async ({ ben, roots }) => {
    const { addStamp } = await ben.do(ask.CostStamp, { messageId: at(roots, 0), stamp: 'heart' });
    stampId = addStamp.messageStamp.id;
  }),
  consumed('consumer: a removed stamp', ({ ben }) => ben.do(ask.CostUnstamp, { messageStampId: stampId })),
  consumed('consumer: a user in 2 rooms has changed their handle', ({ dan }) =>
    dan.do(ask.CostRename, { input: { handle: `h_${newId().slice(0, 8)}` } }),
  ),
  consumed('consumer: a new room', ({ chi }) =>
    chi.do(ask.CostCreateRoom, { input: { name: 'New', visibility: 'PRIVATE' } }),
  ),
  consumed('consumer: a user has joined', async ({ aki, chi, roomId }) => {
    await aki.do(ask.CostUnban, { roomId, userId: globalId(chi) });
    await chi.do(ask.CostJoin, { roomId });
  }),
  consumed('consumer: a user was added to a private room', async (fixture) => {
    const { aki, chi } = fixture;
    const input = { name: 'New', visibility: 'PRIVATE' } as const;
    const { createRoom } = await aki.do(ask.CostCreateRoom, { input });
    await fixture.consume();
    await aki.do(ask.CostAdd, { roomId: createRoom.room.id, userId: globalId(chi) });
  }),
  consumed('consumer: a user has left', ({ chi, roomId }) => chi.do(ask.CostLeave, { roomId })),
  consumed('consumer: a waiting user gets a seat', async (fixture) => {
    await resize(fixture, 10);
    await fixture.chi.do(ask.CostWait, { roomId: fixture.roomId });
    await fixture.consume();
    await resize(fixture, 11);
  }),
  consumed("consumer: a member's role has changed", ({ aki, ben, roomId }) =>
    aki.do(ask.CostRole, { roomId, userId: globalId(ben), role: 'MODERATOR' }),
  ),
  consumed('consumer: a room was renamed', ({ aki, roomId }) =>
    aki.do(ask.CostUpdateRoom, { input: { roomId, name: 'Once more' } }),
  ),
  {
    name: "consumer: a step of a deleted room's job, with 10 messages",
    async before({ chi }) {
      doomedId = await roomOf(chi);
      for (let n = 0; n < 10; n++) await say(chi, doomedId, body);
    },
    run: ({ app: { dynamo } }) =>
      createDeletionJob({ dynamo, timestamps: createTimestamps(), now: Date.now }).step(
        { room: rawId(doomedId) },
        'roots',
      ),
  },
  consumed('consumer: a member has read everything', ({ ben, roomId }) =>
    ben.do(ask.CostRead, { input: { roomId } }),
  ),
  consumed('consumer: a member has read up to a message', async ({ ben, roomId, roots }) => {
    await ben.do(ask.CostReadBack, { messageId: at(roots, -3) });
    await ben.do(ask.CostRead, { input: { roomId, upTo: at(roots, -2) } });
  }),
];
