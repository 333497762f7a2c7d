import { describe, expect, test } from 'vitest';
import { microsOf, type Timestamp } from '../../../src/core/timestamps.ts';
import { rooms } from '../../../src/dev/demo/conversations.ts';
import {
  type Generated,
  type GeneratorOptions,
  generate,
} from '../../../src/dev/demo/generator/generator.ts';
import { languages } from '../../../src/dev/demo/generator/languages/index.ts';
import { themes } from '../../../src/dev/demo/generator/themes.ts';
import { itemsIn } from '../../../src/dynamo/bulkWrite.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keyName, parseKey } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE, LONG_BODIES } from '../../../src/dynamo/shapes.ts';
import { historyItems } from '../../../src/reactions/historyItems.ts';
import { HANDLE } from '../../../src/users/user.ts';

const DAY_MS = 86_400_000;
const UNTIL = Date.parse('2026-03-02T12:00:00Z');

const options: GeneratorOptions = {
  seed: 'test',
  rooms: 6,
  people: 40,
  messages: 3_000,
  until: UNTIL,
  stampKeys: ['heart', 'tea', 'rocket'],
};

interface Result {
  readonly generated: Generated;
  readonly items: ReadonlyArray<Key & Item>;
  readonly messages: ReadonlyArray<Item & { readonly threadTs: Timestamp; readonly ts: Timestamp }>;
}

function make(changes: Partial<GeneratorOptions> = {}): Result {
  const generated = generate({ ...options, ...changes });
  const items = [...generated.messages()].flatMap((one) => historyItems(one, FIRST_SHAPE).flatMap(itemsIn));
  const messages = items.flatMap((item) => {
    const key = parseKey(item);
    return key.type === 'root' || key.type === 'reply'
      ? [{ ...item, threadTs: key.threadTs, ts: key.ts }]
      : [];
  });
  return { generated, items, messages };
}

test('themes: their names differ from each other and from those of the rooms of the demo', () => {
  const names = [...themes, ...rooms].map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

describe('generate', () => {
  const made = make();

  test('generate: the same seed gives the same items, and another seed gives others', () => {
    const again = make();
    expect(again.items).toEqual(made.items);
    expect(again.generated.people).toEqual(made.generated.people);
    expect(again.generated.rooms.map(({ totals }) => totals())).toEqual(
      made.generated.rooms.map(({ totals }) => totals()),
    );
    const other = make({ seed: 'another' });
    const names = new Set(other.items.map(keyName));
    expect(made.items.filter((item) => names.has(keyName(item)))).toEqual([]);
  });

  test('generate: makes the requested numbers of rooms, people and messages, with unique keys', () => {
    expect(made.generated.rooms).toHaveLength(6);
    expect(made.generated.people).toHaveLength(40);
    expect(made.messages).toHaveLength(3_000);
    expect(new Set(made.items.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(made.items.length);
  });

  test('generate: messages are in the past, over several months, and few of them at night', () => {
    const times = made.messages.map(({ ts }) => microsOf(ts) / 1000);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    expect(last).toBeLessThanOrEqual(UNTIL + 1);
    expect(last - first).toBeGreaterThan(100 * DAY_MS);
    const roots = made.messages.filter(({ threadTs, ts }) => threadTs === ts);
    const asleep = roots.filter(({ ts }) => [1, 2, 3].includes(new Date(microsOf(ts) / 1000).getUTCHours()));
    expect(asleep.length / roots.length).toBeLessThan(0.12);
  });

  test('generate: some messages, but not most, have replies, stamps, edits, deletions and mentions', () => {
    const share = (is: (message: Item) => boolean) => made.messages.filter(is).length / made.messages.length;
    const replies = made.messages.filter(({ threadTs, ts }) => threadTs !== ts).length / made.messages.length;
    const shares = [
      replies,
      share(({ stampTotal }) => stampTotal !== undefined),
      share(({ editedAt }) => editedAt !== undefined),
      share(({ deletedAt }) => deletedAt !== undefined),
      share(({ mentions }) => mentions !== undefined),
    ];
    for (const part of shares) {
      expect(part).toBeGreaterThan(0);
      expect(part).toBeLessThan(0.6);
    }
  });

  test('generate: texts are in several languages, with every placeholder filled in', () => {
    const bodies = made.messages.flatMap(({ body }) => (typeof body === 'string' ? [body] : []));
    for (const script of [
      /\p{Script=Hiragana}/u,
      /\p{Script=Hangul}/u,
      /\p{Script=Arabic}/u,
      /[äöüß]/,
      /[¿¡ñ]/,
    ]) {
      expect(bodies.some((body) => script.test(body))).toBe(true);
    }
    expect(bodies.filter((body) => /[{}]|undefined/.test(body))).toEqual([]);
  });

  test('generate: one text in a hundred is over a kilobyte, which makes it an item of its own', () => {
    const sizes = made.messages.map(({ body }) => Buffer.byteLength(String(body ?? '')));
    const long = sizes.filter((size) => size > 1_024);
    expect(long.length / sizes.length).toBeGreaterThan(0.005);
    expect(long.length / sizes.length).toBeLessThan(0.02);
    expect(Math.max(...sizes)).toBeLessThan(5_000);
    const apart = [...make().generated.messages()].flatMap((one) =>
      historyItems(one, LONG_BODIES)
        .flatMap(itemsIn)
        .filter((item) => parseKey(item).type === 'body'),
    );
    expect(apart).toHaveLength(long.length);
  });

  test('generate: every person has a valid and unique handle that is not taken', () => {
    const handles = made.generated.people.map(({ user }) => user.handle ?? '');
    expect(new Set(handles).size).toBe(40);
    const taken = new Set(handles.slice(0, 20));
    const others = make({ taken }).generated.people.map(({ user }) => user.handle ?? '');
    for (const handle of [...handles, ...others]) expect(handle).toMatch(HANDLE);
    expect(others.filter((handle) => taken.has(handle))).toEqual([]);
  });

  test.each([
    { rooms: 1, people: 2, messages: 0 },
    { rooms: 3, people: 2, messages: 1 },
    { rooms: 30, people: 3, messages: 10 },
  ])('generate: can make as little as %j', (little) => {
    expect(make(little).messages).toHaveLength(little.messages);
    expect(make(little).generated.rooms).toHaveLength(little.rooms);
  });
});

test('languages: every name makes a valid handle', () => {
  for (const { given, family, fullName } of languages) {
    for (const [shown, letters] of [...given, ...family]) {
      expect(letters).toMatch(/^[a-z]{2,12}$/);
      expect(fullName(shown, shown)).toContain(shown);
    }
  }
});
