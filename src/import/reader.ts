import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createDirectory } from './directory.ts';
import { readFlat } from './formats/flat.ts';
import { readOwnExport } from './formats/ownExport.ts';
import { readSlack } from './formats/slack/slack.ts';
import { identitiesOf, SOURCE } from './identities.ts';
import type { Reader } from './import.ts';
import { linesIn, parsed } from './input.ts';
import { LineProblem } from './problems.ts';

export interface ReaderOptions {
  readonly path: string;
  /** Files that name people and rooms. */
  readonly people: string | undefined;
  readonly rooms: string | undefined;
  /** Default: `flat` or `slack`. */
  readonly source: string | undefined;
  /** The visibility of rooms that are made because they are not known. */
  readonly create: 'PUBLIC' | 'PRIVATE' | undefined;
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reads the input by its form. Throws `LineProblem` for options that do not fit it. An input that has nothing is a
 * problem.
 */
export async function readerOf(options: ReaderOptions): Promise<Reader> {
  const read = await readerByForm(options);
  return async (spool, problems) => {
    await read(spool, problems);
    if (spool.rooms.size > 0 || spool.people.size > 0) return;
    // What is wrong with its lines says more.
    problems.throwIfAny();
    problems.add(
      basename(options.path),
      'There is nothing to import in it: no room, no person and no message.',
    );
  };
}

async function readerByForm(options: ReaderOptions): Promise<Reader> {
  const { path, people, rooms, create, dynamo, now } = options;
  const name = basename(path);
  const isSlack = await isArchive(path);
  const source = options.source ?? (isSlack ? 'slack' : 'flat');
  if (!isSlack && (await isOwnExport(path))) {
    const others = { people, rooms, source: options.source, create };
    const [given] = Object.entries(others).flatMap(([option, value]) =>
      value === undefined ? [] : [option],
    );
    if (given !== undefined)
      throw new LineProblem(`--${given} is not for an export of Tsudoi, which ${name} is.`);
    return readOwnExport({ path, name, now });
  }
  if (!SOURCE.test(source)) throw new LineProblem('--source must have 1 to 32 of a–z, 0–9 and -.');
  for (const [option, file] of Object.entries({ people, rooms })) {
    if (file !== undefined && (await stat(file)).isDirectory())
      throw new LineProblem(`--${option} must be a file, and ${file} is a directory.`);
  }
  return async (spool, problems) => {
    const identities = identitiesOf(source);
    const directory = createDirectory({ dynamo, identities, spool, problems, create, now });
    if (people !== undefined) await directory.readPeople(people, basename(people));
    if (rooms !== undefined) await directory.readRooms(rooms, basename(rooms));
    if (isSlack) await readSlack({ path, directory, spool, problems });
    else await readFlat({ path, name, directory, spool, problems });
  };
}

const isArchive = async (path: string): Promise<boolean> =>
  extname(path).toLowerCase() === '.zip' || (await stat(path)).isDirectory();

/** By its first line that is not empty. */
async function isOwnExport(path: string): Promise<boolean> {
  if (extname(path).toLowerCase() === '.csv') return false;
  for await (const { text } of linesIn(path)) return text !== undefined && isOwnLine(text);
  return false;
}

/** The flat form may have a field `type` too, which is a problem of its own. */
const OWN_LINE = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('room'), format: z.number() }),
  z.looseObject({ type: z.enum(['member', 'ban']), user: z.looseObject({}) }),
  z.looseObject({ type: z.literal('thread'), replies: z.array(z.unknown()) }),
]);

function isOwnLine(text: string): boolean {
  try {
    return OWN_LINE.safeParse(parsed(text)).success;
  } catch (error) {
    if (error instanceof LineProblem) return false;
    throw error;
  }
}
