import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { emojiNamed } from '../../src/import/formats/slack/emoji.ts';
import { convertedText } from '../../src/import/formats/slack/text.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import { runImport } from '../../src/import/import.ts';
import { NotImportable } from '../../src/import/problems.ts';
import { readerOf } from '../../src/import/reader.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { recount } from '../verify/support/recount.ts';
import { exported } from './support/files.ts';
import { zipOf } from './support/zip.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database?.stop());

const USERS = [
  { id: 'U1', name: 'una', profile: { display_name: 'Una', real_name: 'Una Real' } },
  { id: 'U2', name: 'duo', real_name: 'Duo Real', profile: { display_name: '' } },
];
const CHANNELS = [
  {
    id: 'C1',
    name: 'general',
    created: 1_700_000_000,
    creator: 'U2',
    members: ['U1', 'U2'],
    topic: { value: 'Everything' },
    purpose: { value: '' },
  },
];
const FIRST_DAY = [
  { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: '1700000001.000001' },
  {
    type: 'message',
    user: 'U1',
    ts: '1700000002.000100',
    thread_ts: '1700000002.000100',
    text: 'Hello <@U2>, see <https://example.org|this> &amp; &lt;that&gt; in <#C1|general> :tada: <!here>',
    reactions: [
      { name: '+1::skin-tone-3', users: ['U1', 'U2'], count: 2 },
      { name: 'partyparrot', users: ['U2'], count: 1 },
    ],
    edited: { user: 'U1', ts: '1700000003.000000' },
  },
  { type: 'message', user: 'U2', ts: '1700000004.000100', text: 'Soon deleted' },
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B1',
    username: 'Build',
    ts: '1700000005.000100',
    text: 'Green',
  },
];
const SECOND_DAY = [
  {
    type: 'message',
    user: 'U2',
    ts: '1700090000.000100',
    thread_ts: '1700000002.000100',
    text: '',
    files: [{ name: 'plan.pdf', title: 'The plan' }],
  },
  { type: 'message', subtype: 'message_deleted', deleted_ts: '1700000004.000100', ts: '1700090001.000100' },
  {
    type: 'message',
    subtype: 'tombstone',
    user: 'USLACKBOT',
    text: 'This message was deleted.',
    ts: '1700090002.000100',
    thread_ts: '1700090002.000100',
  },
  { type: 'message', user: 'U1', ts: '1700090003.000100', thread_ts: '1700090002.000100', text: 'I saw it' },
];

type Files = Readonly<Record<string, unknown>>;
const FILES: Files = {
  'users.json': USERS,
  'channels.json': CHANNELS,
  'general/2023-11-14.json': FIRST_DAY,
  'general/2023-11-15.json': SECOND_DAY,
};

async function folderOf(files: Files): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

async function importSlack(path: string) {
  const { dynamo } = database;
  const none = { people: undefined, rooms: undefined, source: undefined, create: undefined };
  const read = await readerOf({ path, dynamo, now: Date.now(), ...none });
  return runImport({ dynamo, read, by: 'transactions', now: Date.now });
}

test('Slack: channels become rooms with threads, stamps, edits and deletions', async () => {
  const folder = await folderOf(FILES);
  expect(await importSlack(folder)).toMatchObject({ newRooms: 1, newMessages: 6 });
  const { room: roomId, person } = identitiesOf('slack');
  const room = roomId('C1');
  const lines = (await exported(database.dynamo, room)).trimEnd().split('\n');
  const [first, ...others] = lines.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ name: 'general', topic: 'Everything', visibility: 'PUBLIC' });
  const threads = others.filter(({ type }) => type === 'thread');
  expect(threads.map(({ author, body }) => [author.displayName, body])).toEqual([
    ['Una', 'Hello @someone, see this (https://example.org) & <that> in #general 🎉 @here'],
    ['Duo Real', null],
    ['Build', 'Green'],
    ['Slackbot', null],
  ]);
  const [hello, , , tombstone] = threads;
  expect(hello).toMatchObject({
    createdAt: '2023-11-14T22:13:22.000100Z',
    editedAt: '2023-11-14T22:13:23.000000Z',
    mentions: [{ displayName: 'Duo Real' }],
  });
  expect(
    hello.stamps.map((one: { stamp: string; user: { displayName: string } }) => [
      one.stamp,
      one.user.displayName,
    ]),
  ).toEqual([
    ['👍🏼', 'Una'],
    ['👍🏼', 'Duo Real'],
    ['partyparrot', 'Duo Real'],
  ]);
  expect(hello.replies.map(({ body }: { body: string }) => body)).toEqual(['[file: The plan]']);
  expect(tombstone.replies.map(({ body }: { body: string }) => body)).toEqual(['I saw it']);
  expect(await database.dynamo.get(keys.member(room, person('U2')))).toMatchObject({ role: 'OWNER' });
  expect(await database.dynamo.get(keys.user(person('U1')))).toMatchObject({ externalId: 'import:slack:U1' });
  expect(await recount(database.dynamo)).toEqual([]);

  // The same as a zip file.
  const zip = join(await temporaryDirectory(), 'export.zip');
  const texts = Object.entries(FILES).map(([name, content]) => [name, JSON.stringify(content)]);
  await writeFile(zip, zipOf(Object.fromEntries(texts)));
  expect(await importSlack(zip)).toMatchObject({ newRooms: 0, newMessages: 0, messages: 6 });
});

test('Slack: keeps a thread whose root has no text', async () => {
  const root = (ts: string, more: object) => ({
    type: 'message',
    user: 'U1',
    text: '',
    ts,
    thread_ts: ts,
    ...more,
  });
  const reply = (ts: string, thread_ts: string) => ({
    type: 'message',
    user: 'U2',
    text: 'I see',
    ts,
    thread_ts,
  });
  const day = [
    root('1700000001.000100', { blocks: [{ type: 'image' }] }),
    root('1700000002.000100', { files: [{ id: 'F1', mode: 'tombstone' }] }),
    root('1700000003.000100', { attachments: [{ id: 1 }] }),
    ...['1', '2', '3'].map((n) => reply(`170000001${n}.000100`, `170000000${n}.000100`)),
    { type: 'message', user: 'U1', text: '', ts: '1700000004.000100' },
  ];
  const folder = await folderOf({
    'users.json': USERS,
    'channels.json': [{ ...CHANNELS[0], id: 'C2', name: 'blank' }],
    'blank/2023-11-14.json': day,
  });
  expect(await importSlack(folder)).toMatchObject({ newRooms: 1, newMessages: 6 });
  const lines = (await exported(database.dynamo, identitiesOf('slack').room('C2'))).trimEnd().split('\n');
  const threads = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'thread');
  expect(threads.map(({ body, replies }) => [body, replies.length])).toEqual([
    ['[message without text]', 1],
    ['[deleted file]', 1],
    ['[attachment without text]', 1],
  ]);
});

test('Slack: a channel without a time and messages is as old as the import', async () => {
  const channel = { id: 'C7', name: 'timeless', creator: 'U2', members: ['U1', 'U2'] };
  const folder = await folderOf({ 'users.json': USERS, 'channels.json': [channel] });
  const from = toTimestamp(Date.now() * 1_000);
  expect(await importSlack(folder)).toMatchObject({ newRooms: 1 });
  const to = toTimestamp(Date.now() * 1_000);
  const { room, person } = identitiesOf('slack');
  const createdAt = (await database.dynamo.get(keys.room(room('C7'))))?.createdAt as string;
  expect(createdAt >= from && createdAt <= to, createdAt).toBe(true);
  const member = await database.dynamo.get(keys.member(room('C7'), person('U1')));
  expect(member?.joinedAt).toBe(createdAt);
  expect(await importSlack(folder)).toMatchObject({ newRooms: 0 });
});

test('Slack: lists by file and message what is wrong', async () => {
  const day = [
    { type: 'message', user: 'U1', ts: 'yesterday', text: 'x' },
    { type: 'message', user: 'U9', ts: '1700000002.000100', text: 'Who am I?' },
    { type: 'message', user: 'U1', ts: '1700000003.000100', text: 'x'.repeat(4_001) },
    { type: 'message', user: 'U1', ts: '9900000003.000100', text: 'Later' },
    { type: 'message', user: 'U1' },
  ];
  const folder = await folderOf({ ...FILES, 'general/2023-11-14.json': day, 'general/2023-11-15.json': [] });
  const error = await importSlack(folder).catch((reason: unknown) => reason);
  if (!(error instanceof NotImportable)) throw error;
  expect(error.problems.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'general/2023-11-14.json:5: `ts` is missing.',
    'general/2023-11-14.json:1: "yesterday" is not a time of Slack.',
    'general/2023-11-14.json:2: The person "U9" is not in users.json. Add --create PUBLIC to make them.',
    'general/2023-11-14.json:3: `text` must have at most 4000 characters.',
    'general/2023-11-14.json:4: `ts` must not be in the future.',
  ]);
  await expect(importSlack(await folderOf({ 'users.json': [] }))).rejects.toThrow('not a Slack export');
});

test('Slack: converts its markup', () => {
  const text = (of: string) =>
    convertedText(of, { person: (id) => (id === 'U1' ? 'u1' : undefined), channelName: () => 'random' });
  expect(text('<@U1> <@U2|dan> <#C9> <!subteam^S1|@team> <!channel>')).toEqual({
    body: '\u0002u1\u0002 @dan #random @team @channel',
    mentions: ['u1'],
  });
  expect(text('<mailto:a@example.org|a@example.org> <https://example.org> a < b').body).toBe(
    'a@example.org https://example.org a < b',
  );
  expect(text('at 10:30:45 :no_such_thing: :heart:').body).toBe('at 10:30:45 :no_such_thing: ❤️');
  expect(text('&amp;lt; a\u0000b').body).toBe('&lt; ab');
  expect(emojiNamed('+1')).toBe('👍');
  expect(emojiNamed('constructor')).toBeUndefined();
});
