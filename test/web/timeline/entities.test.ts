import { expect, test } from 'vitest';
import { ownChange } from '../../../web/src/reactions/ownReactions.ts';
import { noEntities, withLiveMessage, withMessages } from '../../../web/src/timeline/entities.ts';
import type { Cause, Message } from '../../../web/src/timeline/message.ts';

const VIEWER = 'aki';
const message = (version: number, viewerHasLiked: boolean, likeCount = 5) =>
  ({ id: 'm', version, likeCount, viewerHasLiked, stampCounts: [] }) as unknown as Message;
const liked = (actor: string) => ({ kind: 'LIKED', actor: { id: actor }, stamp: null }) as unknown as Cause;
const event = (version: number, cause: Cause | null) => {
  const { viewerHasLiked: _notInEvents, ...shared } = message(version, false);
  return { shared, own: ownChange(cause, VIEWER) } as Parameters<typeof withLiveMessage>[1];
};

test('withLiveMessage: a cause is certain only from the version before', () => {
  const known = withMessages(noEntities, [message(1, true)]);
  const next = withLiveMessage(known, event(2, liked('ben')));
  expect([next.optimistic.get('m')?.viewerHasLiked, next.uncertain.size]).toEqual([true, 0]);
  // Version 2 is unknown: the viewer may have removed the like on another device.
  const later = withLiveMessage(known, event(3, liked('ben')));
  expect([...later.uncertain]).toEqual(['m']);
});

test('withMessages: an older result fills in reactions that are uncertain, and they stay uncertain', () => {
  const known = withMessages(noEntities, [message(1, false)]);
  const busy = withLiveMessage(known, event(9, null));
  expect([...busy.uncertain]).toEqual(['m']);
  // What the viewer's own mutation returned, while others reacted, too.
  const answered = withMessages(busy, [message(7, true)]);
  expect(answered.optimistic.get('m')).toMatchObject({ version: 9, viewerHasLiked: true });
  expect([...answered.uncertain]).toEqual(['m']);
  const read = withMessages(answered, [message(9, true)]);
  expect([read.optimistic.get('m')?.viewerHasLiked, read.uncertain.size]).toEqual([true, 0]);
});
