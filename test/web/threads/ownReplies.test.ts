import { expect, it } from 'vitest';
import type { FollowedThread } from '../../../web/src/threads/listing.ts';
import { createOwnReplies, type OwnRepliesOptions } from '../../../web/src/threads/ownReplies.ts';

type Handler = Parameters<OwnRepliesOptions['api']['connection']['subscribe']>[0];

const thread = (room: string, eventsCursor: string | null) =>
  ({ root: { id: `thread of ${room}`, room: { id: room, eventsCursor } } }) as FollowedThread;

function listening() {
  const open: Handler[] = [];
  const heard: string[] = [];
  const connection = {
    subscribe(handler: Handler) {
      open.push(handler);
      return () => void open.splice(open.indexOf(handler), 1);
    },
  } as OwnRepliesOptions['api']['connection'];
  const replies = createOwnReplies({
    api: { connection },
    viewerId: 'aki',
    onReply: (rootId, replyId) => heard.push(`${replyId} in ${rootId}`),
    onMissed: () => heard.push('missed'),
  });
  return {
    replies,
    heard,
    /** As subscriptions are opened now. */
    variables: () => open.map((handler) => handler.variables()),
    sends: (__typename: string, cursor: string, author = 'aki', root: object | null = { id: 'root' }) =>
      open[0]?.next({
        roomEvents: { __typename, cursor, message: { id: cursor, author: { id: author }, root } },
      }),
  };
}

it('own replies: a subscription begins at the cursor of the list, and goes on after the last event', () => {
  const { replies, heard, variables, sends } = listening();
  replies.follow([thread('kitchen', 'c1'), thread('cellar', null), thread('kitchen', 'c1')]);
  expect(variables()).toEqual([{ room: 'kitchen', after: 'c1' }, { room: 'cellar' }]);
  sends('MessageAdded', 'c2');
  sends('MessageAdded', 'c3', 'ben');
  sends('MessageAdded', 'c4', 'aki', null);
  sends('MessageEdited', 'c5');
  expect(heard).toEqual(['c2 in root']);
  expect(variables()[0]).toEqual({ room: 'kitchen', after: 'c5' });
  // The cursor of a list that is read again is older than the last event.
  replies.follow([thread('kitchen', 'c1')]);
  expect(variables()).toEqual([{ room: 'kitchen', after: 'c5' }]);
  sends('ResyncRequired', 'c9');
  expect(heard).toEqual(['c2 in root', 'missed']);
  expect(variables()).toEqual([{ room: 'kitchen', after: 'c9' }]);
});

it('own replies: at most ten rooms are subscribed to, and none after the end', () => {
  const { replies, variables } = listening();
  const rooms = Array.from({ length: 12 }, (_, i) => thread(`room ${i}`, null));
  replies.follow(rooms);
  expect(variables()).toEqual(rooms.slice(0, 10).map(({ root }) => ({ room: root.room.id })));
  replies.follow(rooms.slice(4));
  expect(variables()).toHaveLength(8);
  replies.stop();
  expect(variables()).toEqual([]);
});
