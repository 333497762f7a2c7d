import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { type Key, keyOf, keys, parseKey } from '../../../src/dynamo/keys.ts';
import type { Group, StoredItem } from '../../../src/dynamo/shape.ts';
import { longBodies } from '../../../src/messages/longBodies/shape.ts';

const ts = fc.nat().map(toTimestamp);
const body = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 300, maxLength: 1_400 }),
  fc.nat({ max: 16_000 }).map((length) => 'あ'.repeat(length / 3)),
);
const common = fc.record(
  {
    author: fc.constantFrom('aki', 'ben'),
    rev: fc.nat({ max: 9 }),
    edits: fc.integer({ min: 1, max: 9 }),
    likeCount: fc.nat({ max: 9 }),
    mentions: fc.array(fc.constantFrom('aki', 'ben'), { minLength: 1 }),
  },
  { requiredKeys: ['author', 'rev'] },
);
const message = fc
  .record({ threadTs: ts, other: fc.option(ts, { nil: undefined }), common })
  .map(({ threadTs, other, common: rest }) => ({
    ...rest,
    ...keys.message('r1', threadTs, other ?? threadTs),
  }));

/** As servers in the first shape write it. A deleted message has no body. */
const before: fc.Arbitrary<Group> = fc
  .tuple(message, fc.option(body))
  .map(([item, text]) => [{ ...item, v: 1, ...(text === null ? { deletedAt: 'x' } : { body: text }) }]);

const byKey = (group: Group) => Object.fromEntries(group.map((item) => [`${item.pk} ${item.sk}`, item]));
const bytes = ({ body: text = '' }: StoredItem) => Buffer.byteLength(text as string);

describe('long bodies apart', () => {
  test('up and then down changes nothing; the same of down and then up', () => {
    fc.assert(
      fc.property(before, (group) => {
        const after = longBodies.up(group);
        expect(byKey(longBodies.down(after))).toEqual(byKey(group));
        expect(byKey(longBodies.up(longBodies.down(after)))).toEqual(byKey(after));
        expect(longBodies.up(after)).toEqual(after);
      }),
    );
  });

  test('a message keeps everything but a body of more than 1 kB, which carries its edits', () => {
    fc.assert(
      fc.property(before, (group) => {
        const [whole] = group as [StoredItem];
        const [own, apart] = longBodies.up(group);
        if (bytes(whole) <= 1_024) {
          expect([own, apart]).toEqual([whole, undefined]);
          return;
        }
        const { body: text, ...rest } = whole;
        expect(own).toEqual({ ...rest, v: 2, bodyApart: true });
        expect(apart).toMatchObject({ v: 2, body: text, edits: whole.edits ?? 0, pk: whole.pk });
      }),
    );
  });

  test('a group is the message and its body, by the key of either', () => {
    fc.assert(
      fc.property(message, (item) => {
        const group = longBodies.group(parseKey(keyOf(item))) as readonly Key[];
        expect(group[0]).toEqual(keyOf(item));
        for (const key of group) expect(longBodies.group(parseKey(key))).toEqual(group);
      }),
    );
    expect(longBodies.group(parseKey(keys.room('r1')))).toBeUndefined();
  });

  test('down removes what is left of a room that is being deleted', () => {
    const key = { room: 'r1', threadTs: '0000000000000001', ts: '0000000000000001' };
    const orphan = { ...keys.body(key), v: 2, body: 'x', edits: 0 };
    const deleted = {
      ...keys.root('r1', key.ts),
      v: 2,
      bodyApart: true,
      deletedAt: '0000000000000002',
      rev: 3,
    };
    expect(longBodies.down([orphan])).toEqual([]);
    const { bodyApart: _, ...rest } = deleted;
    expect(longBodies.down([deleted, orphan])).toEqual([{ ...rest, v: 1 }]);
  });
});
