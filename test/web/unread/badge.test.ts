import { expect, it } from 'vitest';
import type { BadgeSubscription } from '../../../web/src/generated/graphql.ts';
import { createBadge } from '../../../web/src/unread/badge.ts';

type Listening = Parameters<Parameters<typeof createBadge>[0]['connection']['subscribe']>[0];

/** The badge of a user whose list has every room, and its subscription. */
function opened() {
  let listening: Listening | undefined;
  const badge = createBadge(
    {
      connection: {
        subscribe(to: Listening) {
          listening = to;
          to.onOpening?.();
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
    reopens: () => listening?.onOpening?.(),
    sends(unreadByRoom: Readonly<Record<string, number>>, notifications = 0, sum?: number) {
      const rooms = Object.entries(unreadByRoom).map(([id, unreadCount]) => ({
        unreadCount,
        readPosition: 0,
        room: { id },
        membership: { id: `m ${id}`, muted: false },
      }));
      const total = sum ?? rooms.reduce((all, { unreadCount }) => all + unreadCount, 0);
      const unread = { total, notifications, removedRoomIds: [], rooms };
      listening?.next({ unread } as unknown as BadgeSubscription);
    },
  };
}

it('badge: has rooms read again after each reconnect, because fully read rooms are not sent', () => {
  const { badge, readings, reopens, sends } = opened();
  sends({ Tea: 2 });
  sends({ Tea: 3 });
  expect(readings()).toBe(0);
  reopens();
  sends({});
  expect(badge.get().rooms.size).toBe(0);
  expect(readings()).toBe(1);
  sends({ Tea: 1 });
  expect(readings()).toBe(0);
  // The first subscription may end before its first event: then the list is older than the second one.
  reopens();
  reopens();
  sends({});
  expect(readings()).toBe(1);
});

it('badge: subtracts no mention from the total whose root is unread', () => {
  const { badge, sends } = opened();
  const totals = () => [badge.get().total, badge.get().notifications];
  // A root that mentions the viewer counts once; the two others are reactions.
  sends({ Tea: 1 }, 3, 3);
  const mention = badge.optimisticallySubtract(1, 1);
  expect(totals()).toEqual([3, 2]);
  const reaction = badge.optimisticallySubtract(1);
  expect(totals()).toEqual([2, 1]);
  const all = badge.optimisticallySubtract(Number.POSITIVE_INFINITY);
  expect(totals()).toEqual([1, 0]);
  for (const settle of [mention, reaction, all]) settle(false);
  expect(totals()).toEqual([3, 3]);
});
