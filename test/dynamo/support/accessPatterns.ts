/** Every access pattern of the API and of the stream consumer, by the names of the rows in docs/data-model.md. */
import { expect } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { createRevocations } from '../../../src/revocations/revocations.ts';
import { newUser, type Person } from '../../support/clients/people.ts';
import { consumerNotificationPatterns } from './consumerNotificationPatterns.ts';
import { consumerPatterns } from './consumerPatterns.ts';
import type { CostFixture } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { deliveryPatterns } from './deliveryPatterns.ts';
import { consumerThreadPatterns, followedThreadPatterns } from './followedThreadPatterns.ts';
import { likedPatterns } from './likedPatterns.ts';
import { longBodyPatterns } from './longBodyPatterns.ts';
import { notificationPatterns } from './notificationPatterns.ts';
import { at, body, type Pattern } from './pattern.ts';
import { openingPatterns, queryPatterns } from './queryPatterns.ts';
import { roomPatterns } from './roomPatterns.ts';
import { scheduledPatterns } from './scheduledPatterns.ts';
import { threadPatterns } from './threadPatterns.ts';

const idempotencyKey = 'the key';

let stampId = '';
let sentId = '';
let replyId = '';

const mutations: Pattern[] = [
  {
    name: "a new user's first request",
    run: async ({ app }) => (await app.as(`new_${newId().slice(0, 8)}`)).do(ask.CostMe),
  },
  {
    name: 'a request with a newer token that has another name',
    run: ({ app, chi: { handle } }) => app.services.users.ensure(tokenIn(60, { handle, name: newId() })),
  },
  {
    name: 'a request with a newer token that confirms the profile, once in 30 minutes',
    before: ({ app, chi: { handle } }) => app.services.users.ensure(tokenIn(61, { handle, name: 'Chi' })),
    run: ({ app, chi: { handle } }) => app.services.users.ensure(tokenIn(62, { handle, name: 'Chi' })),
  },
  {
    name: 'a request with another such token',
    run: ({ app, chi: { handle } }) => app.services.users.ensure(tokenIn(63, { handle, name: 'Chi' })),
  },
  {
    name: '`updateProfile`, a name',
    run: ({ aki }) => aki.do(ask.CostRename, { input: { displayName: 'Aki' } }),
  },
  {
    name: '`updateProfile`, a handle',
    run: ({ chi }) => chi.do(ask.CostRename, { input: { handle: `h_${newId().slice(0, 8)}` } }),
  },
  {
    name: '`createRoom`, public',
    run: ({ chi }) => chi.do(ask.CostCreateRoom, { input: { name: 'New', visibility: 'PUBLIC' } }),
  },
  {
    name: '`createRoom`, private',
    run: ({ chi }) => chi.do(ask.CostCreateRoom, { input: { name: 'New', visibility: 'PRIVATE' } }),
  },
  { name: '`joinRoom`', run: ({ chi, roomId }) => chi.do(ask.CostJoin, { roomId }) },
  { name: '`leaveRoom`', run: ({ chi, roomId }) => chi.do(ask.CostLeave, { roomId }) },
  {
    name: '`sendMessage`, a root',
    async run({ aki, roomId }) {
      sentId = (await aki.do(ask.CostSend, { input: { roomId, body } })).sendMessage.message.id;
    },
  },
  {
    name: '`sendMessage`, a root with an idempotency key',
    run: ({ aki, roomId }) => aki.do(ask.CostSend, { input: { roomId, body, idempotencyKey } }),
  },
  {
    name: '`sendMessage`, the same root again with the same key',
    run: ({ aki, roomId }) => aki.do(ask.CostSend, { input: { roomId, body, idempotencyKey } }),
  },
  {
    name: '`sendMessage`, a reply',
    run: ({ aki, roomId, roots }) =>
      aki.do(ask.CostSend, { input: { roomId, body, replyTo: at(roots, -1) } }),
  },
  {
    name: '`sendMessage`, a reply to a reply',
    before: async ({ aki, roomId, roots }) => {
      const input = { roomId, body, replyTo: at(roots, -1) };
      replyId = (await aki.do(ask.CostSend, { input })).sendMessage.message.id;
    },
    run: ({ aki, roomId }) => aki.do(ask.CostSend, { input: { roomId, body, replyTo: replyId } }),
  },
  {
    name: '`sendMessage`, a reply with an idempotency key',
    run: ({ ben, roomId, roots }) =>
      ben.do(ask.CostSend, { input: { roomId, body, replyTo: at(roots, -1), idempotencyKey } }),
  },
  {
    name: '`sendMessage`, a root with 3 mentions',
    run: ({ aki, ben, chi, roomId }) =>
      aki.do(ask.CostSend, { input: { roomId, body: `@${aki.handle} @${ben.handle} @${chi.handle}` } }),
  },
  { name: '`editMessage`', run: ({ aki }) => aki.do(ask.CostEdit, { messageId: sentId, body: `${body}z` }) },
  {
    name: '`markRoomRead`, all',
    before: (fixture) => fixture.consume(),
    run: ({ ben, roomId }) => ben.do(ask.CostRead, { input: { roomId } }),
  },
  {
    name: '`markRoomRead`, up to a message that is already read',
    run: ({ ben, roomId, roots }) => ben.do(ask.CostRead, { input: { roomId, upTo: at(roots, 0) } }),
  },
  {
    name: '`markRoomUnread`',
    run: ({ ben, roots }) => ben.do(ask.CostReadBack, { messageId: at(roots, -5) }),
  },
  {
    name: '`markRoomRead`, up to a message',
    run: ({ ben, roomId, roots }) => ben.do(ask.CostRead, { input: { roomId, upTo: at(roots, -2) } }),
  },
  {
    name: '`markAllRoomsRead`, in 4 rooms, one of them unread',
    run: ({ ben }) => ben.do(ask.CostReadAll),
  },
  { name: '`muteRoom`', run: ({ ben, roomId }) => ben.do(ask.CostMute, { roomId, muted: true }) },
  { name: '`arrangeRoom`', run: ({ ben, roomId }) => ben.do(ask.CostArrange, { roomId }) },
  {
    name: '`setRoomDelivery`',
    run: ({ ben, roomId }) => ben.do(ask.CostRoomDelivery, { roomId, delivery: 'MENTIONS' }),
  },
  {
    name: '`updateDeliverySettings`',
    run: ({ ben }) => ben.do(ask.CostDeliverySettings, { hideText: true }),
  },
  {
    name: '`pauseDeliveries`',
    run: ({ ben }) => ben.do(ask.CostPause, { until: new Date(Date.now() + 3_600_000).toISOString() }),
  },
  { name: '`Viewer.deliverySettings`', run: ({ ben }) => ben.do(ask.CostReadDeliverySettings) },
  {
    name: '`addStamp`',
    async run({ ben }) {
      stampId = (await ben.do(ask.CostStamp, { messageId: sentId, stamp: 'heart' })).addStamp.messageStamp.id;
    },
  },
  { name: '`Message.stamps`, a page of 10', run: ({ aki }) => aki.do(ask.CostStamps, { id: sentId }) },
  {
    name: '`Message.stampCounts`, of a page of 10',
    run: ({ aki, roomId }) => aki.do(ask.CostCounts, { roomId }),
  },
  { name: '`node`, a stamp', run: ({ aki }) => aki.do(ask.CostNode, { id: stampId }) },
  { name: '`removeStamp`', run: ({ ben }) => ben.do(ask.CostUnstamp, { messageStampId: stampId }) },
  { name: '`likeMessage`', run: ({ ben, liked }) => ben.do(ask.CostLike, { messageId: liked }) },
  {
    name: '`likeMessage`, a message that the viewer already likes',
    run: ({ ben, liked }) => ben.do(ask.CostLike, { messageId: liked }),
  },
  {
    name: '`likeMessage`, a message that the viewer already likes, with both edges',
    run: ({ ben, liked }) => ben.do(ask.CostLikeEdges, { messageId: liked }),
  },
  {
    name: '`Message.likers`, a page of 10, with names',
    run: async ({ aki, liked }) => {
      const { node } = await aki.do(ask.CostLikers, { id: liked });
      expect(node !== null && 'likers' in node ? node.likers.edges : []).toHaveLength(10);
    },
  },
  { name: '`unlikeMessage`', run: ({ ben, liked }) => ben.do(ask.CostUnlike, { messageId: liked }) },
  {
    name: '`Room.messages`, the newest 10, with everything that a client shows',
    async before(fixture) {
      const { ben, roots } = fixture;
      await ben.do(ask.CostLike, { messageId: at(roots, -1) });
      await fixture.consume();
    },
    run: ({ aki, roomId }) => aki.do(ask.CostWhole, { roomId }),
  },
  { name: '`setTyping`', run: ({ ben, roomId }) => ben.do(ask.CostTyping, { roomId }) },
  { name: '`deleteMessage`', run: ({ aki }) => aki.do(ask.CostDelete, { messageId: sentId }) },
];

let leaving: Person;
const revoked = { sub: 'ex-employee', before: 1 };
const revocationsOf = ({ app }: CostFixture) => createRevocations({ dynamo: app.dynamo });

const revocations: Pattern[] = [
  {
    name: '`npm run revoke`, with one in force',
    before: async (fixture) => void (await revocationsOf(fixture).revoke(revoked, 2 ** 32)),
    run: (fixture) => revocationsOf(fixture).revoke(revoked, 2 ** 32),
  },
  { name: "a server's poll, with nothing new", run: (fixture) => revocationsOf(fixture).since(2) },
  {
    name: '`signOutEverywhere`',
    async before({ app }) {
      leaving = await newUser(app);
      await leaving.do(ask.CostMe);
    },
    run: () => leaving.do(ask.CostSignOut, {}),
  },
];

let cursor: string | null = null;

const replay: Pattern = {
  name: '`roomEvents`, opened with 10 messages missed',
  async before(fixture) {
    const { aki, ben, roomId } = fixture;
    cursor = (await ben.do(ask.CostCursor, { roomId })).room?.eventsCursor ?? null;
    for (let n = 0; n < 10; n++) await aki.do(ask.CostSend, { input: { roomId, body } });
    await fixture.consume();
  },
  async run({ ben, roomId }) {
    const events = ben.subscribe(ask.CostEvents, { roomId, after: cursor });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    expect(events.seen).toHaveLength(11);
    events.close();
  },
};

/** The claims of a token that is issued these seconds from now. */
const tokenIn = (seconds: number, { handle, name }: { readonly handle: string; readonly name: string }) => ({
  sub: handle,
  handle,
  name,
  issuedAt: Math.floor(Date.now() / 1_000) + seconds,
});

export const accessPatterns: readonly Pattern[] = [
  ...queryPatterns,
  ...openingPatterns,
  ...mutations,
  ...roomPatterns,
  ...notificationPatterns,
  ...consumerPatterns,
  ...deliveryPatterns,
  ...revocations,
  ...consumerNotificationPatterns,
  ...consumerThreadPatterns,
  replay,
  ...longBodyPatterns,
  // Last, because no consumer has to handle what they write. What consumes must be above.
  ...threadPatterns,
  ...followedThreadPatterns,
  ...scheduledPatterns,
  ...likedPatterns,
];
