import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { findBinary } from '../../../src/dev/embeddedDynamodb/binary.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keys } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE, NEWEST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { CONVERSIONS, converted, tableDefinition } from '../../../src/dynamo/table.ts';

export interface Load {
  readonly table: string;
  readonly items: Iterable<Key & Item>;
  /** The database's file, which must not exist. */
  readonly file: string;
}

/**
 * Makes the file of an embedded database whose table has these items, about 20,000 a second: 50 times faster than by
 * writes, and the stream has no records of them. Through the program's own import, which reads DynamoDB's export
 * format.
 */
export async function loadTable({ table, items, file }: Load): Promise<void> {
  const source = `${file}.export`;
  const data = join(source, table, 'data');
  const schema = join(source, 'schema.json');
  await mkdir(data, { recursive: true });
  await writeFile(schema, JSON.stringify({ Table: tableDefinition(table) }));
  const gzip = createGzip({ level: 1 });
  await pipeline(Readable.from(linesOf(items)), gzip, createWriteStream(join(data, 'items.json.gz')));
  await promisify(execFile)(findBinary(), [
    'import',
    '--source',
    source,
    '--schema',
    schema,
    '--output',
    file,
  ]);
  await rm(source, { recursive: true });
}

/** In parts of a thousand lines. */
function* linesOf(items: Iterable<Key & Item>): Generator<string, void> {
  let lines = ofNewTable().map(lineOf);
  for (const item of items) {
    lines.push(lineOf(item));
    if (lines.length < 1_000) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

const lineOf = (item: Key & Item): string => `${JSON.stringify({ Item: marshall(item) })}\n`;

/** What a new table has before the first request. */
const ofNewTable = (): Array<Key & Item> => [
  { ...keys.shape(), v: FIRST_SHAPE, inForce: NEWEST_SHAPE, rev: 1 },
  ...CONVERSIONS.map(converted),
];
