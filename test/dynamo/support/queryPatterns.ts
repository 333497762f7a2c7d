/** The access patterns of queries, and of subscriptions that begin, by the names of the rows in docs/data-model.md. */
import { toDate } from '../../../src/core/timestamps.ts';
import { messageKey } from '../../support/clients/people.ts';
import { SearchUsers } from '../../users/support/search.ts';
import * as ask from './costOperations.ts';
import { at, type Pattern } from './pattern.ts';

const sentAt = (message: string) => toDate(messageKey(message).ts).toISOString();

export const queryPatterns: Pattern[] = [
  { name: '`viewer`', run: ({ aki }) => aki.do(ask.CostMe) },
  { name: '`stamps`', run: ({ aki }) => aki.do(ask.CostCatalogue) },
  { name: '`user(handle)`', run: ({ aki, ben }) => aki.do(ask.CostByHandle, { handle: ben.handle }) },
  {
    name: '`room`, with its counts and what is unread',
    run: ({ ben, roomId }) => ben.do(ask.CostRoom, { roomId }),
  },
  { name: '`rooms`, a page of 10', run: ({ aki }) => aki.do(ask.CostDirectory) },
  {
    name: '`Viewer.memberships`, a page of 10, in 4 rooms',
    run: ({ ben }) => ben.do(ask.CostMemberships),
  },
  {
    name: '`Viewer.memberships`, a page of 10 in the order of joining, 4 rooms',
    run: ({ ben }) => ben.do(ask.CostJoined),
  },
  {
    name: '`Room.lastMessage`',
    run: ({ ben, roomId }) => ben.do(ask.CostLastMessage, { roomId }),
  },
  {
    name: '`Room.members`, a page of 10, with names',
    run: ({ aki, roomId }) => aki.do(ask.CostMembers, { roomId }),
  },
  {
    name: '`searchUsers`, a page of 10',
    run: ({ aki }) => aki.do(SearchUsers, { prefix: 'u', first: 10 }),
  },
  {
    name: '`Room.searchMembers`, a page of 10',
    run: ({ aki, roomId }) => aki.do(ask.CostSearchMembers, { roomId, prefix: 'u' }),
  },
  { name: '`node`, a message', run: ({ aki, roots }) => aki.do(ask.CostNode, { id: at(roots, 0) }) },
  {
    name: '`nodes`, 10 messages of one room',
    run: ({ aki, roots }) => aki.do(ask.CostNodes, { ids: roots.slice(-10) }),
  },
  {
    name: '`Room.messages`, the newest 10',
    run: ({ aki, roomId }) => aki.do(ask.CostTimeline, { roomId, last: 10 }),
  },
  {
    name: '`Room.messages`, the newest 10, with authors',
    run: ({ aki, roomId }) => aki.do(ask.CostAuthors, { roomId }),
  },
  {
    name: '`Room.messages`, 10 around a message',
    run: ({ aki, roomId, roots }) => aki.do(ask.CostAround, { roomId, around: at(roots, 4) }),
  },
  {
    name: '`Room.messages`, 10 from a date on',
    run: ({ aki, roomId, roots }) => aki.do(ask.CostFrom, { roomId, from: sentAt(at(roots, 4)) }),
  },
  {
    name: '`Message.replies`, the newest 10, with the root',
    run: ({ aki, roots }) => aki.do(ask.CostThread, { id: at(roots, -1) }),
  },
  { name: '`Viewer.unread`, in 4 rooms', run: ({ ben }) => ben.do(ask.CostUnread) },
  { name: '`Room.explainUnread`, 5 messages', run: ({ ben, roomId }) => ben.do(ask.CostExplain, { roomId }) },
  { name: '`Room.eventsCursor`', run: ({ ben, roomId }) => ben.do(ask.CostCursor, { roomId }) },
];

/** How subscriptions begin. */
export const openingPatterns: Pattern[] = [
  {
    name: '`unread`, opened by a user in 4 rooms',
    async run({ ben }) {
      const badge = ben.subscribe(ask.CostBadge, {});
      await badge.next();
      badge.close();
    },
  },
  {
    name: '`roomEvents`, opened with nothing missed',
    async run({ ben, roomId }) {
      const events = ben.subscribe(ask.CostEvents, { roomId, after: null });
      await events.next();
      events.close();
    },
  },
];
