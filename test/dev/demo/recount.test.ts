import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../../src/dev/demo/generator/generator.ts';
import { store } from '../../../src/dev/demo/generator/store.ts';
import { type Key, keys, parseKey } from '../../../src/dynamo/keys.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { dump } from '../../support/database/table.ts';
import { recount } from '../../verify/support/recount.ts';

let database: TestDynamo;
let found: Record<'user' | 'room' | 'root' | 'reply' | 'stamp' | 'stampGuard' | 'like' | 'member', Key>;

beforeAll(async () => {
  database = await openTestDynamo();
  const options = {
    seed: 'recount',
    rooms: 1,
    people: 5,
    messages: 120,
    until: Date.now(),
    stampKeys: ['tea'],
  };
  await store({ dynamo: database.dynamo, generated: generate(options), by: 'transactions' });
  expect(await recount(database.dynamo)).toEqual([]);
  const all = [...(await dump(database.dynamo)).keys()].map((key): Key => {
    const [pk = '', sk = ''] = key.split(' ');
    return { pk, sk };
  });
  const first = (type: string) => all.find((key) => parseKey(key).type === type) ?? keys.room('missing');
  const types = ['user', 'room', 'root', 'reply', 'stamp', 'stampGuard', 'like', 'member'] as const;
  found = Object.fromEntries(types.map((type) => [type, first(type)])) as typeof found;
});
afterAll(() => database?.stop());

const room = () => found.room.pk.slice(5);

test.each([
  ['a wrong counter', () => keys.counter(room()), 'messageCount', /^messageCount of/],
  ['wrong seats', () => keys.seats(room()), 'taken', /^memberCount of/],
  ['a wrong number of rooms of a user', () => found.user, 'rooms', /^rooms of/],
  ['a gap among the positions', () => found.root, 'position', /^positions of/],
  ['a wrong number of replies', () => found.root, 'replyCount', /^replyCount of/],
  ['a wrong number of likes', () => parent(found.like), 'likeCount', /^likeCount of/],
  ['a wrong number of stamps', () => parent(found.stamp), 'stampTotal', /^stampTotal of/],
])('recount: reports %s', async (_, key, field, line) => {
  const change = (by: number) =>
    database.dynamo.update(key(), {
      update: 'SET #field = #field + :by',
      names: { '#field': field },
      values: { ':by': by },
    });
  await change(1_000);
  expect((await recount(database.dynamo)).filter((one) => line.test(one))).toHaveLength(1);
  await change(-1_000);
  expect(await recount(database.dynamo)).toEqual([]);
});

test.each([
  ['a membership with one side missing', () => found.member, /^memberships of/],
  ['a missing reply', () => found.reply, /^replyCount of/],
  ['a missing stamp', () => found.stamp, /^stamps of/],
  ['a missing like', () => found.like, /^likeCount of/],
  ['a missing guard', () => found.stampGuard, /^guards of/],
])('recount: reports %s', async (_, key, line) => {
  const item = (await dump(database.dynamo)).get(`${key().pk} ${key().sk}`);
  await database.dynamo.remove(key());
  expect((await recount(database.dynamo)).filter((one) => line.test(one))).toHaveLength(1);
  await database.dynamo.put({ ...item, ...key() });
  expect(await recount(database.dynamo)).toEqual([]);
});

/** The message of a stamp or like. */
function parent(reaction: Key): Key {
  const key = parseKey(reaction);
  return key.type === 'stamp' || key.type === 'like'
    ? keys.message(key.room, key.threadTs, key.ts)
    : reaction;
}
