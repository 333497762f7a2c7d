import { expect, it } from 'vitest';
import type { BadgeSubscription } from '../../../web/src/generated/graphql.ts';
import { createBadge } from '../../../web/src/unread/badge.ts';

type Listening = Parameters<Parameters<typeof createBadge>[0]['connection']['listen']>[0];

/** A badge and its subscription. The list of rooms contains every room. */
function opened() {
  let listening: Listening | undefined;
  const badge = createBadge(
    {
      connection: {
        listen(to: Listening) {
          listening = to;
          to.opening?.();
          return () => {};
        },
      } as unknown as Parameters<typeof createBadge>[0]['connection'],
    },
    () => true,
  );
  let readings = 0;
  badge.onRooms(() => readings++);
  return {
    badge,
    /** How often the list of rooms was read again since the last call. */
    readings() {
      const since = readings;
      readings = 0;
      return since;
    },
    reopens: () => listening?.opening?.(),
    tells(unreadByRoom: Readonly<Record<string, number>>) {
      const rooms = Object.entries(unreadByRoom).map(([id, unreadCount]) => ({
        ...{ unreadCount, readPosition: 0, room: { id } },
        membership: { id: `m ${id}`, muted: false },
      }));
      const total = rooms.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
      const unread = { total, notifications: 0, removedRoomIds: [], rooms };
      listening?.next({ unread } as unknown as BadgeSubscription);
    },
  };
}

it('badge: has rooms read again after each reconnect, because fully read rooms are not sent', () => {
  const { badge, readings, reopens, tells } = opened();
  tells({ Tea: 2 });
  tells({ Tea: 3 });
  expect(readings()).toBe(0);
  reopens();
  tells({});
  expect(badge.get().rooms.size).toBe(0);
  expect(readings()).toBe(1);
  tells({ Tea: 1 });
  expect(readings()).toBe(0);
  // The first subscription may end before it has sent anything, so the list is older than the second one.
  reopens();
  reopens();
  tells({});
  expect(readings()).toBe(1);
});
