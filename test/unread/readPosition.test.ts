import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Timestamp, toTimestamp } from '../../src/core/timestamps.ts';
import {
  type PendingRead,
  pendingReadAttributes,
  pendingReadsFrom,
  toStored,
} from '../../src/rooms/pendingReads.ts';
import {
  afterRead,
  PENDING_MAX,
  type ReadPosition,
  readUpTo,
  unreadCount,
} from '../../src/unread/readPosition.ts';

type Step =
  | { readonly type: 'root' }
  | { readonly type: 'consume' }
  | { readonly type: 'to' | 'from'; readonly pick: number }
  | { readonly type: 'mark' };

const pick = fc.nat({ max: 99 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ type: 'root' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ type: 'consume' }) },
  { weight: 2, arbitrary: pick.map((n): Step => ({ type: 'to', pick: n })) },
  { weight: 2, arbitrary: pick.map((n): Step => ({ type: 'from', pick: n })) },
  { weight: 1, arbitrary: fc.constant<Step>({ type: 'mark' }) },
);

/** As it is read back from the table. */
const stored = ({ position, pending }: ReadPosition): ReadPosition => {
  const back = pendingReadsFrom(pendingReadAttributes(toStored(pending)));
  const { pendingReads = [], pendingReadRoot } = back;
  const last = pendingReadRoot === null ? [] : [{ to: pendingReadRoot }];
  return { position, pending: [...pendingReads, ...last] };
};

/**
 * Roots get positions in the order in which they are stored. Their timestamps have another order. The rules know only
 * positions that were assigned, and must count at every moment what is unread among these.
 */
test('read position: is exact after all that can be said, while positions come late and timestamps have another order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (steps, clocks) => {
      const roots: Timestamp[] = [];
      const known = new Map<Timestamp, number>();
      /** How far the user has read, as the number of the root. */
      let read = 0;
      let current: ReadPosition = { position: 0, pending: [] };
      /** The number of roots that were there at the last mark, until the consumer has come to it. */
      let mark: number | undefined;
      const consume = () => {
        if (mark !== undefined && known.size === mark) {
          const { pending } = current;
          if (pending[0] !== undefined && 'mark' in pending[0])
            current = { position: mark, pending: pending.slice(1) };
          mark = undefined;
        }
        const next = roots[known.size];
        if (next !== undefined) known.set(next, known.size + 1);
      };
      const say = (one: PendingRead) => {
        current = stored(afterRead(reduced(current), one, known));
      };
      const reduced = ({ position, pending }: ReadPosition) =>
        pending.reduce((before, one) => afterRead(before, one, known), {
          position,
          pending: [],
        } as ReadPosition);
      const counts = () => {
        const unread = Math.max(0, known.size - read);
        expect(unreadCount(known.size, reduced(current))).toBe(unread);
        expect(Math.min(known.size, readUpTo(known.size, reduced(current)))).toBe(known.size - unread);
      };
      for (const one of steps) {
        if (one.type === 'root')
          roots.push(toTimestamp(((clocks.next().value as number) % 997) * 1_000 + roots.length));
        else if (one.type === 'consume') consume();
        else if (one.type === 'mark') {
          read = roots.length;
          mark = roots.length;
          say({ mark: 1 });
        } else {
          const number = 1 + (one.pick % Math.max(1, roots.length));
          const root = roots[number - 1];
          if (root === undefined) continue;
          if (one.type === 'to') {
            read = Math.max(read, number);
            say({ to: root });
          } else {
            read = Math.min(read, number - 1);
            say({ from: root });
          }
        }
        counts();
      }
      for (let i = 0; i <= roots.length; i++) {
        consume();
        counts();
      }
    }),
    { numRuns: 2_000 },
  );
});

test('read position: what is pending has a bound, and the newest counts', () => {
  const roots = Array.from({ length: 100 }, (_, i) => toTimestamp(i + 1));
  const none: ReadPosition = { position: 3, pending: [] };
  const full = roots.reduce((current, to) => afterRead(current, { to }, new Map()), none);
  expect(full.pending).toHaveLength(PENDING_MAX);
  const known = new Map(roots.map((root, i) => [root, i + 4]));
  const after = full.pending.reduce((current, one) => afterRead(current, one, known), none);
  expect(after).toEqual({ position: 103, pending: [] });
});
