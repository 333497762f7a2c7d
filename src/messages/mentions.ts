import { badUserInput } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { normalizedHandle } from '../users/user.ts';

export const MENTIONS_MAX = 50;

/**
 * `@` and a handle, with no letter that could be part of a name like it right before or after them. Those are letters
 * with case (and accents on them), digits, `_` and `@`. Japanese, Korean and Thai are written without spaces, so their
 * letters do not join a handle, nor do those of other scripts without case. A mark before the `@` belongs to its
 * letter. It is looked for only after the `@`: at each character, the time would be quadratic. `MENTION` of the web
 * client is the same.
 */
const MENTION = /@(?<![\p{LC}\p{Nd}_@]\p{M}*@)([a-z0-9_]{3,20})(?![\p{LC}\p{M}\p{Nd}_@])/giu;

/**
 * A mention is stored as the user's id between two control characters, which bodies must not contain. So a mention
 * always shows the user's current handle, which cannot contain more than its alphabet.
 */
const MARK = '\u0002';
const STORED = new RegExp(`${MARK}([0-9a-z]{1,64})${MARK}`, 'g');

/**
 * What a body shows for a mentioned user without a handle. Never their display name: a mentioned user chooses that
 * text freely, so they could put a sentence or a link into another user's message. `Message.mentions` has the names.
 */
export const NO_HANDLE = 'someone';

export const storedMention = (user: string): string => `${MARK}${user}${MARK}`;

/** The ids of the users that a stored body mentions, each once. */
export const storedMentionsIn = (body: string): string[] => [
  ...new Set([...body.matchAll(STORED)].map(([, id = '']) => id)),
];

/** A stored body with the shortest handle in place of each mention: no longer than the text that was sent. */
export const withShortestHandles = (body: string): string => body.replace(STORED, '@aaa');

export interface MentionedBody {
  /** The body to store: ids in place of handles. */
  readonly body: string;
  readonly mentions: readonly string[];
}

/** The different handles in a text that is sent, whether or not they are members' handles. */
export const handlesMentioned = (text: string): string[] =>
  [...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => normalizedHandle(handle)))].filter(
    (handle) => handle !== NO_HANDLE,
  );

interface Place {
  readonly room: string;
  readonly author: string;
}

/**
 * Finds the members of the room whose handles are in the text. The handles of other users remain plain text, and so do
 * those of users who have blocked the author. Two round trips (handles, then memberships and blocks), or none if there
 * is no `@`. `@someone` is never a mention: if an author edits a
 * body that shows it, it stays text. Throws BAD_USER_INPUT if there are more than
 * MENTIONS_MAX different handles.
 */
export async function resolveMentions(
  dynamo: Dynamo,
  { room, author }: Place,
  text: string,
): Promise<MentionedBody> {
  const handles = handlesMentioned(text);
  if (handles.length === 0) return { body: text, mentions: [] };
  if (handles.length > MENTIONS_MAX) {
    throw badUserInput('input.body', `At most ${MENTIONS_MAX} people can be mentioned.`, MENTIONS_MAX);
  }
  const reserved = await dynamo.batchGet(handles.map((handle) => keys.handle(handle)));
  const owners = new Map(
    // A handle with an expiry was released: it belongs to no user.
    handles.flatMap((handle, i) => {
      const item = reserved[i];
      return item === undefined || item.expiresAt !== undefined
        ? []
        : [[handle, item.user as string] as const];
    }),
  );
  const mentioned = [...new Set(owners.values())];
  const found = await dynamo.batchGet([
    ...mentioned.map((user) => keys.member(room, user)),
    ...mentioned.map((user) => keys.block(user, author)),
  ]);
  const present = new Set(
    mentioned.filter((_, i) => found[i] !== undefined && found[mentioned.length + i] === undefined),
  );
  const body = text.replace(MENTION, (whole, handle: string) => {
    const user = owners.get(normalizedHandle(handle));
    return user !== undefined && present.has(user) ? storedMention(user) : whole;
  });
  return { body, mentions: [...present] };
}

/** A stored body as users read it, with handles. Loads the mentioned users, if there are any. */
export function readableBody(body: string, items: ItemLoader): string | Promise<string> {
  if (!body.includes(MARK)) return body;
  return handlesIn(body, items);
}

function handlesIn(body: string, items: ItemLoader): string | Promise<string> {
  const ids = [...new Set([...body.matchAll(STORED)].map(([, id = '']) => id))];
  const profiles = ids.map((id) => items.loadKept(keys.user(id)));
  const withHandles = (users: ReadonlyArray<Item | undefined>) => {
    const handles = new Map(ids.map((id, i) => [id, users[i]?.handle as string | undefined]));
    return body.replace(STORED, (_, id: string) => `@${handles.get(id) ?? NO_HANDLE}`);
  };
  const isThere = (one: (typeof profiles)[number]): one is Item | undefined => !(one instanceof Promise);
  return profiles.every(isThere) ? withHandles(profiles) : Promise.all(profiles).then(withHandles);
}
