/** What waits in the temporary file is all there, or the import does not begin. */
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../src/core/errors.ts';
import { createProblems } from '../../src/import/problems.ts';
import { type OpenFile, openSpool, type Spool } from '../../src/import/spool.ts';
import type { ImportedMessage, ImportedRoom } from '../../src/import/types.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';

const room: ImportedRoom = {
  id: 'r',
  name: 'R',
  topic: null,
  visibility: 'PUBLIC',
  createdAt: null,
  version: 1,
  capacity: null,
  members: null,
  bans: [],
};

const messageOf = (n: number): ImportedMessage => ({
  key: `m${n}`,
  replyTo: null,
  at: 1_000 + n,
  author: 'aki',
  body: `${n} ${'あ'.repeat(4_000)}`,
  mentions: [],
  editedAt: null,
  edits: 0,
  deletedAt: null,
  version: null,
  position: null,
  externalId: null,
  stamps: [],
  likes: [],
});

/** More than one part of the file. */
const COUNT = 200;

async function filled(openFile?: OpenFile): Promise<Spool> {
  const spool = await openSpool(createProblems(), openFile);
  onTestFinished(() => spool.end());
  spool.room(room, 'here');
  for (let n = 0; n < COUNT; n++) await spool.message('r', messageOf(n), 'here');
  await spool.close();
  return spool;
}

test('message: is there as it was, also if the disk takes only a part of what is written', async () => {
  const path = join(await temporaryDirectory(), 'messages');
  let writes = 0;
  const spool = await filled(async () => {
    const file = await open(path, 'wx+');
    const write = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      writes++;
      return file.write(bytes, offset, Math.min(length, 100_001), position);
    };
    return Object.assign(Object.create(file), { write }) as typeof file;
  });
  expect(writes).toBeGreaterThan(20);
  const rows = spool.rooms.get('r')?.roots ?? [];
  expect(rows).toHaveLength(COUNT);
  for (const [n, row] of rows.entries()) expect(await spool.read(row)).toEqual(messageOf(n));
});

test('message: a full disk is refused, and the sentence says which, and how to use another one', async () => {
  const error = await filled(() => open('/dev/full', 'w')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toBe(
    `The texts cannot wait in the temporary directory ${tmpdir()}: its file system is full. Nothing was written. Correct that, or set TMPDIR to another directory.`,
  );
});
