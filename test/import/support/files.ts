import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { exportRoom } from '../../../src/export/export.ts';
import { readOwnExport } from '../../../src/import/formats/ownExport.ts';
import { type ImportOptions, type Plan, runImport } from '../../../src/import/import.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';

/** The lines of a room, without the time of the export. */
export async function exported(dynamo: Dynamo, room: string): Promise<string> {
  const found = await exportRoom(room, { dynamo, now: Date.now() });
  let text = '';
  for await (const piece of found?.text() ?? []) text += piece;
  return text.replace(/"exportedUntil":"[^"]+"/, '"exportedUntil":""');
}

/** A file with this text, in a directory of its own. */
export async function fileOf(text: string, name = 'input.ndjson'): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, text);
  return path;
}

/** Imports what an export wrote. */
export async function importExport(
  dynamo: Dynamo,
  text: string,
  options: Partial<ImportOptions> = {},
): Promise<Plan> {
  const read = readOwnExport({ path: await fileOf(text), name: 'input.ndjson', now: Date.now() });
  return runImport({ dynamo, read, by: 'transactions', now: Date.now, ...options });
}
