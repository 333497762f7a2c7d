import type { OwnReactions } from '../reactions/reactionKind.ts';

/** The stamps that the viewer has put on a message. */
export const ownStamps: OwnReactions = {
  isOnMessage: ({ stampCounts }) => stampCounts.length > 0,
  kept(message, known) {
    const own = new Set(
      known?.stampCounts.flatMap(({ viewerHasStamped, stamp }) => (viewerHasStamped ? [stamp.key] : [])),
    );
    const stampCounts = message.stampCounts.map((count) => ({
      ...count,
      viewerHasStamped: own.has(count.stamp.key),
    }));
    return { stampCounts };
  },
  changed({ stampCounts }, { kind, stamp }) {
    if (kind !== 'STAMPED' && kind !== 'UNSTAMPED') return {};
    const viewerHasStamped = kind === 'STAMPED';
    return {
      stampCounts: stampCounts.map((count) =>
        count.stamp.key === stamp?.key ? { ...count, viewerHasStamped } : count,
      ),
    };
  },
  cleared: { stampCounts: [] },
};
