import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { type Plan, runImport } from '../../../src/import/import.ts';
import { type ReaderOptions, readerOf } from '../../../src/import/reader.ts';
import { fileOf } from './files.ts';

export type RowsOptions = Partial<ReaderOptions> & { readonly unread?: boolean };

/** Imports a file with a line for each message. */
export const importInto = (dynamo: Dynamo, rows: readonly object[], options?: RowsOptions): Promise<Plan> =>
  importText(dynamo, rows.map((row) => JSON.stringify(row)).join('\n'), options);

/** Imports a file with this content. Its name says what it is. */
export async function importText(
  dynamo: Dynamo,
  text: string,
  { unread = false, ...given }: RowsOptions = {},
  name?: string,
): Promise<Plan> {
  const read = await readerOf({
    path: await fileOf(text, name),
    dynamo,
    now: Date.now(),
    people: undefined,
    rooms: undefined,
    source: undefined,
    create: undefined,
    ...given,
  });
  return runImport({ dynamo, read, by: 'transactions', now: Date.now, unread });
}

/** The lines of messages `m0`, `m1` …, of which every third is a root. */
export const messagesIn = (room: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `m${i}`,
    roomId: room,
    userId: 'u1',
    text: `Number ${i}`,
    createdAt: new Date(1_700_000_000_000 + i).toISOString(),
    ...(i % 3 === 0 ? {} : { replyToId: `m${i - (i % 3)}` }),
  }));
