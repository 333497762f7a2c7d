/**
 * A Slack export, as a folder or a zip file: `users.json`, `channels.json`, `groups.json` (private channels, if the
 * plan exports them), and a folder for each channel with a file for each day.
 */
import { z } from 'zod';
import { toTimestamp } from '../../../core/timestamps.ts';
import { acceptableName } from '../../../graphql/validation.ts';
import { NAME_MAX, TOPIC_MAX } from '../../../rooms/input.ts';
import type { Directory } from '../../directory.ts';
import { checked } from '../../fields.ts';
import { parsedFile } from '../../input.ts';
import { LineProblem, type Problems } from '../../problems.ts';
import type { Spool } from '../../spool.ts';
import type { ImportedMember } from '../../types.ts';
import { type Archive, openArchive } from './archive.ts';
import { createChannelReader, microsOfTs } from './messages.ts';
import { channel, type SlackChannel, type SlackUser, user } from './schemas.ts';

export interface SlackOptions {
  readonly path: string;
  readonly directory: Directory;
  readonly spool: Spool;
  readonly problems: Problems;
}

export async function readSlack({ path, directory, spool, problems }: SlackOptions): Promise<void> {
  const archive = await openArchive(path);
  try {
    await readAll(archive, { directory, spool, problems });
  } finally {
    await archive.close();
  }
}

interface Reading {
  readonly directory: Directory;
  readonly spool: Spool;
  readonly problems: Problems;
}

async function readAll(archive: Archive, { directory, spool, problems }: Reading): Promise<void> {
  /** Empty if the file cannot be read, which is noted. */
  async function listIn(name: string): Promise<readonly unknown[]> {
    try {
      return checked(z.array(z.unknown()), parsedFile(await archive.read(name)));
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.add(name, error.message);
      return [];
    }
  }

  const list = async <T extends z.ZodType>(name: string, of: T): Promise<Array<z.output<T>>> => {
    if (!archive.names.includes(name)) return [];
    const found: Array<z.output<T>> = [];
    for (const [i, value] of (await listIn(name)).entries()) {
      try {
        found.push(checked(of, value));
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        problems.add(`${name}:${i + 1}`, error.message);
      }
    }
    return found;
  };

  if (!archive.names.includes('channels.json') || !archive.names.includes('users.json')) {
    throw new LineProblem('This is not a Slack export: it has no channels.json and users.json at its top.');
  }
  for (const one of await list('users.json', user)) directory.know({ id: one.id, displayName: nameOf(one) });
  const channels = [
    ...(await list('channels.json', channel)).map((one) => ({ one, visibility: 'PUBLIC' as const })),
    ...(await list('groups.json', channel)).map((one) => ({ one, visibility: 'PRIVATE' as const })),
  ];
  const names = new Map(channels.map(({ one }) => [one.id, one.name]));
  for (const { one, visibility } of channels) {
    const place = `${visibility === 'PUBLIC' ? 'channels' : 'groups'}.json`;
    const room = roomOf(one, visibility, directory);
    // Of the times of the members, the input says no more than that of the room.
    const members = room.members.map(({ user, role }) => [user, role]);
    spool.room(room, `${place}: ${one.name}`, { ...room, members });
    const days = archive.names
      .filter((name) => name.startsWith(`${one.name}/`) && name.endsWith('.json'))
      .sort();
    const reader = createChannelReader({ directory, problems, channelName: (id) => names.get(id) });
    for (const day of days) reader.readDay(day, await listIn(day));
    for (const { message, place: at } of reader.messages()) {
      await spool.message(directory.identities.room(one.id), message, at);
    }
  }
}

const nameOf = ({ id, name, real_name, profile }: SlackUser): string =>
  [profile?.display_name, profile?.real_name, real_name, name, id].find((text) => text?.trim()) ?? id;

function roomOf(
  { id, name, created, creator, members, topic, purpose }: SlackChannel,
  visibility: 'PUBLIC' | 'PRIVATE',
  { identities, known, now }: Directory,
) {
  const about = [topic?.value, purpose?.value].find((text) => text?.trim()) ?? '';
  const createdAt = created === undefined ? undefined : microsOfTs(String(created));
  const joinedAt = createdAt ?? now * 1_000;
  return {
    id: identities.room(id),
    externalId: identities.externalId(id),
    visibility,
    name: acceptableName(name, NAME_MAX) ?? 'channel',
    topic: acceptableName(about, TOPIC_MAX) ?? null,
    createdAt: createdAt === undefined ? null : toTimestamp(createdAt),
    version: 1,
    capacity: null,
    bans: [],
    members: membersIn(members, creator).flatMap((member, i): ImportedMember[] => {
      const user = known(member);
      const role = i === 0 ? 'OWNER' : 'MEMBER';
      return user === undefined ? [] : [{ user, role, joinedAt: toTimestamp(joinedAt) }];
    }),
  };
}

/** Its creator is the owner, if they are in it. */
const membersIn = (members: readonly string[] = [], creator: string | undefined): readonly string[] => [
  ...new Set([...members].sort((a, b) => Number(b === creator) - Number(a === creator))),
];
