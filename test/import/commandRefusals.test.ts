/** What the command says about an input that it cannot read: one sentence in plain words, with the place. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXPORT_FORMAT } from '../../src/export/lines.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { programFile } from '../support/builds/build.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';
import { zipOf } from './support/zip.ts';

type Content = string | Buffer;

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, Content>>;
  /** The command's; files are in the directory of the test, which is where it runs. */
  readonly args: readonly string[];
  readonly says: readonly string[];
}

const NOTHING = 'There is nothing to import in it: no room, no person and no message.';
const row = { id: 'm1', roomId: 'r', userId: 'u', text: 'Hello', createdAt: '2023-11-14T12:00:00Z' };
const MARKED =
  'A value has a quotation mark in its middle: put the value in quotation marks, and write "" for each one in it.';
const HEADER = 'id,roomId,createdAt,userId,text';
const exportLine = { type: 'room', format: EXPORT_FORMAT, name: 'A room', visibility: 'SECRET', version: 0 };
const member = {
  type: 'member',
  role: 'MEMBER',
  joinedAt: '2023-11-14T12:00:00.000000Z',
  user: { id: encodeId('User', 'aki'), handle: null, displayName: 'Aki' },
};
const slack = (files: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ 'users.json': [], ...files }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
const channels = [{ id: 'C1', name: 'general', members: [] }];

/** A file with a problem in some of its lines. */
const lines = (name: string, file: string, content: Content, says: readonly string[]): Case => ({
  name,
  files: { [file]: content },
  args: [file, '--create', 'PUBLIC'],
  says: [...says.map((one) => `${file}:${one}`), 'Nothing was written.'],
});

/** The first file of a zip file becomes another one than its checksum and its sizes say. */
function damagedZip(): Buffer {
  const zip = zipOf(slack({ 'channels.json': channels, 'general/2023-11-14.json': [] }));
  // The method of the local headers and of the directory: one that no program knows.
  for (let at = zip.indexOf('PK'); at >= 0; at = zip.indexOf('PK', at + 1)) {
    if (zip[at + 2] === 1) zip.writeUInt16LE(99, at + 10);
  }
  return zip;
}

/** JSON can have half of a surrogate pair; no program may store it. */
const HALF = '\ud83d';
const HALVED = 'must be well-formed Unicode, but has half of a surrogate pair.';
/** Latin-1 instead of UTF-8. */
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const newline = Buffer.from('\n');
const rightRow = Buffer.from(JSON.stringify(row));
const roomLine = {
  type: 'room',
  format: EXPORT_FORMAT,
  id: encodeId('Room', 'r'),
  name: 'A room',
  topic: null,
  visibility: 'PUBLIC',
  createdAt: '2023-11-14T12:00:00.000000Z',
  version: 1,
  capacity: null,
};
const ndjson = (values: readonly unknown[]): string => values.map((one) => JSON.stringify(one)).join('\n');

const CASES: readonly Case[] = [
  lines(
    'halves of surrogate pairs in the flat form',
    'half.ndjson',
    ndjson(['id', 'roomId', 'userId', 'text', 'replyToId'].map((field) => ({ ...row, [field]: HALF }))),
    ['id', 'roomId', 'userId', 'text', 'replyToId'].map((field, i) => `${i + 1}: \`${field}\` ${HALVED}`),
  ),
  {
    name: 'halves of surrogate pairs in rooms and people',
    files: {
      'f.ndjson': JSON.stringify(row),
      'rooms.ndjson': ndjson([{ id: HALF }, { id: 'r1', name: HALF }, { id: 'r2', members: [HALF] }]),
      'people.ndjson': ndjson([{ id: HALF }, { id: 'a', displayName: HALF }, { id: 'b', subject: HALF }]),
    },
    args: ['f.ndjson', '--rooms', 'rooms.ndjson', '--people', 'people.ndjson', '--create', 'PUBLIC'],
    says: [
      ...['id', 'displayName', 'subject'].map((field, i) => `people.ndjson:${i + 1}: \`${field}\` ${HALVED}`),
      ...['id', 'name', 'members.0'].map((field, i) => `rooms.ndjson:${i + 1}: \`${field}\` ${HALVED}`),
      'Nothing was written.',
    ],
  },
  {
    name: 'halves of surrogate pairs in an export',
    files: {
      'room.ndjson': ndjson([
        { ...roomLine, name: HALF },
        { ...roomLine, topic: HALF },
        { ...member, user: { ...member.user, displayName: HALF } },
      ]),
    },
    args: ['room.ndjson'],
    says: [
      ...['name', 'topic', 'user.displayName'].map(
        (field, i) => `room.ndjson:${i + 1}: \`${field}\` ${HALVED}`,
      ),
      'Nothing was written.',
    ],
  },
  {
    name: 'halves of surrogate pairs in ids of Slack',
    files: {
      'a.zip': zipOf(
        slack({
          'users.json': [{ id: HALF }],
          'channels.json': channels,
          'general/2023-11-14.json': [{ ts: '1700000000.000001', bot_id: HALF, text: 'Hello' }],
        }),
      ),
    },
    args: ['a.zip'],
    says: [
      `users.json:1: \`id\` ${HALVED}`,
      `general/2023-11-14.json:1: \`bot_id\` ${HALVED}`,
      'Nothing was written.',
    ],
  },
  lines(
    'NDJSON that is not UTF-8',
    'latin1.ndjson',
    Buffer.concat([rightRow, newline, latin1(JSON.stringify({ ...row, id: 'm2', text: 'Café' })), newline]),
    ['2: It is not UTF-8.'],
  ),
  lines(
    'CSV that is not UTF-8',
    'latin1.csv',
    latin1(
      `${HEADER}\na,r,2023-11-14T12:00:00Z,u,Café\nb,r,2023-11-14T12:00:00Z,u,"A\nnaïve one"\nc,r,then,u,t`,
    ),
    [
      '2: It is not UTF-8.',
      '4: It is not UTF-8.',
      '5: `createdAt` must be a time such as 2026-01-31T12:00:00Z, from 1970 on.',
    ],
  ),
  {
    name: 'people in CSV that is not UTF-8',
    files: { 'f.ndjson': JSON.stringify(row), 'p.csv': latin1('id,displayName\nu,René') },
    args: ['f.ndjson', '--people', 'p.csv', '--create', 'PUBLIC'],
    says: ['p.csv:2: It is not UTF-8.', 'Nothing was written.'],
  },
  {
    name: 'a file of Slack that is not UTF-8',
    files: {
      'users.json': latin1('[{"id":"U1","name":"René"}]'),
      'channels.json': JSON.stringify(channels),
    },
    args: ['.'],
    says: ['users.json: It is not UTF-8.', 'Nothing was written.'],
  },
  lines('a field `type` in the flat form', 'type.ndjson', ndjson([{ type: 'message', ...row }]), [
    '1: It has a field that is not known: `type`.',
  ]),
  ...[[''], ['f.ndjson', '--people', ''], ['f.ndjson', '--rooms', '']].map((args) => ({
    name: `an empty name of a file: ${JSON.stringify(args)}`,
    files: { 'f.ndjson': JSON.stringify(row) },
    args,
    says: ['The name of a file is empty.'],
  })),
  lines(
    'fields of the flat form',
    'f.ndjson',
    [
      { ...row, userId: '' },
      { ...row, roomId: undefined },
      { ...row, text: 5 },
      { ...row, id: 'x'.repeat(201) },
      ['a'],
      null,
    ]
      .map((one) => JSON.stringify(one))
      .join('\n'),
    [
      '1: `userId` must not be empty.',
      '2: `roomId` is missing.',
      '3: `text` must be text.',
      '4: `id` must have at most 200 characters.',
      '5: It must be an object with fields.',
      '6: It must be an object with fields.',
    ],
  ),
  lines('rows of CSV', 'rows.csv', `${HEADER}\na,r,x"y,u,t\nb,r\nc,"r"x,t,u,t\n`, [
    `2: ${MARKED}`,
    '3: The row and the first line must have the same number of values.',
    `4: ${MARKED}`,
    '4: The file ends inside of a value: a quotation mark opens it, and none closes it.',
  ]),
  lines('a column of CSV that is there twice', 'twice.csv', `${HEADER},text,id,,\na,r,t,u,x,y,b,,\n,\n`, [
    '1: The column "text" is there more than once.',
    '1: The column "id" is there more than once.',
  ]),
  lines('a quotation mark that is not closed', 'open.csv', `${HEADER}\na,r,"x`, [
    '2: The file ends inside of a value: a quotation mark opens it, and none closes it.',
  ]),
  {
    name: 'an export with other values',
    files: {
      'room.ndjson': [
        exportLine,
        { type: 'member', role: 'KING' },
        { type: 'ban', user: 5 },
        { type: 'thread', position: 0 },
        { ...exportLine, format: 1 },
        { type: 'member', role: 'KING' },
        { type: 'thread' },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    },
    args: ['room.ndjson'],
    says: [
      'room.ndjson:1: `id` is missing.',
      'room.ndjson:2: `user` is missing.',
      'room.ndjson:3: `user` must be an object with fields.',
      'room.ndjson:4: `id` is missing.',
      `room.ndjson:5: \`format\` must be ${EXPORT_FORMAT}: export the room again with this release.`,
      'Nothing was written.',
    ],
  },
  {
    name: 'an export whose room is refused, of which only that is said',
    files: {
      'room.ndjson': [{ ...exportLine, format: 1 }, member, { type: 'thread' }, exportLine, member]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    },
    args: ['room.ndjson'],
    says: [
      `room.ndjson:1: \`format\` must be ${EXPORT_FORMAT}: export the room again with this release.`,
      'room.ndjson:4: `id` is missing.',
      'Nothing was written.',
    ],
  },
  {
    name: 'rooms with other values',
    files: {
      'f.ndjson': JSON.stringify(row),
      'rooms.ndjson': [
        { id: 'r1', visibility: 'SECRET' },
        { id: 'r2', members: 5 },
        { id: 'r3', members: 'a;;b' },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    },
    args: ['f.ndjson', '--rooms', 'rooms.ndjson', '--create', 'PUBLIC'],
    says: [
      'rooms.ndjson:1: `visibility` must be PUBLIC or PRIVATE.',
      'rooms.ndjson:2: `members` must be a list.',
      'rooms.ndjson:3: `members.1` must not be empty.',
      'Nothing was written.',
    ],
  },
  ...['empty.ndjson', 'empty.csv'].map((file) => ({
    name: file,
    files: { [file]: '' },
    args: [file, '--create', 'PUBLIC'],
    says: [`${file}: ${NOTHING}`, 'Nothing was written.'],
  })),
  {
    name: 'only the names of CSV, dry',
    files: { 'head.csv': `${HEADER}\n` },
    args: ['head.csv', '--dry-run'],
    says: [`head.csv: ${NOTHING}`, 'Nothing was written.'],
  },
  {
    name: 'a column of persons that is there twice',
    args: ['f.ndjson', '--people', 'p.csv', '--create', 'PUBLIC'],
    files: { 'f.ndjson': JSON.stringify(row), 'p.csv': '\n\nid,handle,handle\nu,a,b\n' },
    says: ['p.csv:3: The column "handle" is there more than once.', 'Nothing was written.'],
  },
  {
    name: 'no such file',
    files: {},
    args: ['none.ndjson'],
    says: ['none.ndjson cannot be used: it does not exist.'],
  },
  {
    name: 'no such file of people',
    files: { 'f.ndjson': JSON.stringify(row) },
    args: ['f.ndjson', '--people', 'none.csv'],
    says: ['none.csv cannot be used: it does not exist.'],
  },
  {
    name: 'a directory of rooms',
    files: { 'f.ndjson': JSON.stringify(row), 'rooms/a': '' },
    args: ['f.ndjson', '--rooms', 'rooms'],
    says: ['--rooms must be a file, and rooms is a directory.'],
  },
  {
    name: 'no zip file',
    files: { 'a.zip': 'nonsense' },
    args: ['a.zip'],
    says: ['a.zip cannot be read: it is not a zip file, or not all of it is there.'],
  },
  {
    name: 'an empty zip file',
    files: { 'a.zip': '' },
    args: ['a.zip'],
    says: ['a.zip cannot be read: it is not a zip file, or not all of it is there.'],
  },
  {
    name: 'half a zip file',
    args: ['a.zip'],
    files: { 'a.zip': zipOf(slack({ 'channels.json': channels })).subarray(0, 100) },
    says: ['a.zip cannot be read: it is not a zip file, or not all of it is there.'],
  },
  {
    name: 'a zip file that cannot be unpacked',
    files: { 'a.zip': damagedZip() },
    args: ['a.zip'],
    says: [
      ...['users.json', 'channels.json'].map(
        (file) => `${file}: It cannot be unpacked: it is damaged or encrypted.`,
      ),
      'Nothing was written.',
    ],
  },
  {
    name: 'files of Slack',
    files: {
      'a.zip': zipOf(
        slack({
          'users.json': [{ id: '' }, 'U2'],
          'channels.json': channels,
          'general/2023-11-14.json': '{"type":',
          'general/2023-11-15.json': {},
        }),
      ),
    },
    args: ['a.zip', '--create', 'PUBLIC'],
    says: [
      'users.json:1: `id` must not be empty.',
      'users.json:2: It must be an object with fields.',
      'general/2023-11-14.json: It is not JSON.',
      'general/2023-11-15.json: It must be a list.',
      'Nothing was written.',
    ],
  },
];

test.each(CASES)('import: $name', async ({ files, args, says }) => {
  const directory = await temporaryDirectory();
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), content);
  }
  const { dynamo, endpoint, table, stop } = await openTestDynamo();
  onTestFinished(() => stop());
  const before = await dump(dynamo);
  const program = await runProgram({
    command: [process.execPath, await programFile('cli/import'), ...args],
    env: { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table, LOG_LEVEL: 'silent' },
    cwd: directory,
  });
  expect(await commandResult(program)).toEqual({ code: 1, stdout: '', stderr: `${says.join('\n')}\n` });
  expect(await dump(dynamo)).toEqual(before);
});
