import { badUserInput } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { normalizedHandle, userOf } from '../users/user.ts';

export const MENTIONS_MAX = 50;

/** `@` and a handle that no letter (or accent on it), digit, `_` or `@` runs into, at either end. */
const MENTION = /(?<![\p{L}\p{M}\p{N}_@])@([a-z0-9_]{3,20})(?![\p{L}\p{M}\p{N}_@])/giu;

/**
 * How a mention is stored: the person's id between two characters that nobody can type (control characters
 * are refused in bodies). So a renamed person is shown by the handle they have now.
 */
const MARK = '\u0002';
const STORED = new RegExp(`${MARK}([0-9a-z]{1,64})${MARK}`, 'g');

export const storedMention = (user: string): string => `${MARK}${user}${MARK}`;

export interface MentionedBody {
  /** To be stored. */
  readonly body: string;
  readonly mentions: readonly string[];
}

/**
 * Finds the members of the room whose handles stand in a body. Two round trips (handles, then memberships),
 * none where there is no `@`. Handles of others stay the plain text they are.
 * Throws BAD_USER_INPUT where there are more than MENTIONS_MAX different ones.
 */
export async function resolveMentions(dynamo: Dynamo, room: string, text: string): Promise<MentionedBody> {
  const handles = [
    ...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => normalizedHandle(handle))),
  ];
  if (handles.length === 0) return { body: text, mentions: [] };
  if (handles.length > MENTIONS_MAX) {
    throw badUserInput('input.body', `At most ${MENTIONS_MAX} people can be mentioned.`, MENTIONS_MAX);
  }
  const reserved = await dynamo.batchGet(handles.map((handle) => keys.handle(handle)));
  const owners = new Map(
    // A released handle is nobody's.
    handles.flatMap((handle, i) => {
      const item = reserved[i];
      return item === undefined || item.expiresAt !== undefined
        ? []
        : [[handle, item.user as string] as const];
    }),
  );
  const people = [...new Set(owners.values())];
  const members = await dynamo.batchGet(people.map((user) => keys.member(room, user)));
  const present = new Set(people.filter((_, i) => members[i] !== undefined));
  const body = text.replace(MENTION, (whole, handle: string) => {
    const user = owners.get(normalizedHandle(handle));
    return user !== undefined && present.has(user) ? storedMention(user) : whole;
  });
  return { body, mentions: [...present] };
}

/** A stored body as people read it. Asks for the mentioned people only where there are any. */
export function readableBody(body: string, items: ItemLoader): string | Promise<string> {
  if (!body.includes(MARK)) return body;
  return handlesIn(body, items);
}

async function handlesIn(body: string, items: ItemLoader): Promise<string> {
  const ids = [...new Set([...body.matchAll(STORED)].map(([, id = '']) => id))];
  const people = await items.loadMany(ids.map((id) => keys.user(id)));
  const names = new Map(ids.map((id, i) => [id, nameOf(id, people[i])]));
  return body.replace(STORED, (_, id: string) => `@${names.get(id) ?? 'somebody'}`);
}

/** Somebody who gave up their handle is shown by their name. */
function nameOf(id: string, item: Record<string, unknown> | undefined): string {
  if (item === undefined) return 'somebody';
  const { handle, displayName } = userOf(id, item);
  return handle ?? displayName;
}
