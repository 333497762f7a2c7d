/** The access patterns of users who read their notifications, by the names of the rows in docs/data-model.md. */

import { newId } from '../../../src/core/ids.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { type Notification, notificationItem, withReadAt } from '../../../src/notifications/notification.ts';
import { messageKey } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { type CostFixture, RETENTION } from './costFixture.ts';
import * as ask from './costOperations.ts';
import { at, type Pattern } from './pattern.ts';

const UNREAD = 12;
/** The ids of Dan's unread notifications, the newest last. */
let unread: readonly string[] = [];

/** Notifies Dan of likes by Ben of ten roots, in turn. The newest notifications are unread. */
async function notifyDan({ app, dan, ben, roots, size }: CostFixture): Promise<void> {
  const now = Date.now() * 1_000;
  const count = Math.min(size * 2, 1_000);
  const notifications = Array.from({ length: count }, (_, i): Notification => {
    const updatedAt = toTimestamp(now - (count - i) * 1_000_000);
    const message = messageKey(at(roots, -1 - (i % 10)));
    const one: Notification = {
      user: dan.id,
      id: newId(),
      kind: 'LIKE',
      ...message,
      count: 1,
      epoch: 0,
      version: 1,
      actors: [{ user: ben.id, at: updatedAt }],
      updatedAt,
      variants: [],
      latest: null,
      readAt: null,
      expiresAt: null,
    };
    return i >= count - UNREAD ? one : withReadAt(one, updatedAt, RETENTION);
  });
  const left = notifications.filter(({ readAt }) => readAt === null);
  unread = left.map(({ id }) => encodeId('Notification', id));
  await bulkWrite({
    dynamo: app.dynamo,
    items: [
      { ...keys.badge(dan.id), v: FIRST_SHAPE, total: left.length, rev: 1, epoch: 0 },
      ...notifications.map(notificationItem),
    ],
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

/** Notifies Dan of a reply by Ben in a thread, and of a mention in it. */
async function notifyDanOfThread({ app, dan, ben, roots }: CostFixture): Promise<void> {
  const message = messageKey(at(roots, -1));
  const updatedAt = message.ts;
  const both = (['REPLY', 'MENTION'] as const).map(
    (kind): Notification => ({
      user: dan.id,
      id: newId(),
      kind,
      ...message,
      count: 1,
      epoch: 0,
      version: 1,
      actors: [{ user: ben.id, at: updatedAt }],
      updatedAt,
      variants: [],
      latest: null,
      readAt: null,
      expiresAt: null,
    }),
  );
  const pointers = both.map((one) => ({ ...keys.pointer(dan.id, one), v: FIRST_SHAPE, id: one.id }));
  await bulkWrite({
    dynamo: app.dynamo,
    items: [...both.map(notificationItem), ...pointers],
    by: onDynamoDbLocal ? 'batches' : 'transactions',
  });
}

export const notificationPatterns: readonly Pattern[] = [
  {
    name: '`Viewer.notifications`, a page of 10',
    before: notifyDan,
    run: ({ dan }) => dan.do(ask.CostNotifications, { unreadOnly: false }),
  },
  {
    name: '`Viewer.notifications`, a page of 10 unread ones',
    run: ({ dan }) => dan.do(ask.CostNotifications, { unreadOnly: true }),
  },
  {
    name: '`Viewer.notifications`, a page of 10 with texts and messages, all of one room',
    run: ({ dan }) => dan.do(ask.CostNotificationTexts),
  },
  {
    name: '`node`, a notification',
    run: ({ dan }) => dan.do(ask.CostNotification, { id: at(unread, -1) }),
  },
  {
    name: '`Message.viewerIsFollowing`, of a page of 10',
    run: ({ dan, roomId }) => dan.do(ask.CostFollowing, { roomId }),
  },
  {
    name: `\`notificationChanged\`, opened with ${UNREAD} unread ones`,
    async run({ dan }) {
      const changes = dan.subscribe(ask.CostNotificationChanged, {});
      await changes.next();
      changes.close();
    },
  },
  {
    name: '`markThreadRead`, with a reply and a mention',
    before: notifyDanOfThread,
    run: ({ dan, roots }) => dan.do(ask.CostReadThread, { messageId: at(roots, -1) }),
  },
  {
    name: '`markThreadRead`, with nothing unread',
    run: ({ dan, roots }) => dan.do(ask.CostReadThread, { messageId: at(roots, -1) }),
  },
  {
    name: '`markNotificationsRead`, one',
    run: ({ dan }) => dan.do(ask.CostMarkNotifications, { ids: [at(unread, -1)] }),
  },
  {
    name: '`markNotificationsRead`, one that is already read',
    run: ({ dan }) => dan.do(ask.CostMarkNotifications, { ids: [at(unread, -1)] }),
  },
  {
    name: '`markNotificationsRead`, ten',
    run: ({ dan }) => dan.do(ask.CostMarkNotifications, { ids: unread.slice(-11, -1) }),
  },
  { name: '`markNotificationsRead`, all', run: ({ dan }) => dan.do(ask.CostMarkNotifications, {}) },
  {
    name: '`followThread`, `unfollowThread`',
    run: ({ dan, roots }) => dan.do(ask.CostFollow, { messageId: at(roots, -1) }),
  },
  {
    name: '`followThread`, with its edge',
    run: ({ dan, roots }) => dan.do(ask.CostFollowEdge, { messageId: at(roots, -1) }),
  },
];
