import { z } from 'zod';
import { AHEAD } from '../core/ahead.ts';
import { badUserInput, notFound } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { encodeId, idOf } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import { text } from '../graphql/validation.ts';
import { MessageRef, messageKeyOf } from '../messages/types.ts';
import type { SavedChange } from './change.ts';
import { REMINDERS_MAX } from './counts.ts';
import { NOTE_MAX, parseSavedId, type SavedKey, savedId, TAGS_MAX } from './entry.ts';
import type { Saved } from './saved.ts';
import type { RemovedEntry } from './saving.ts';
import { loadVisible } from './shown.ts';
import './jobs/schema.ts';
import './jobs/subscription.ts';
import { savedMessageEdge } from './lists.ts';
import './others/schema.ts';
import { reminderEdge } from './reminders/schema.ts';
import './subscription.ts';
import { isSame, TAG_NAME_MAX, type TagName, tagName, validTagNames } from './tagName.ts';
import { SavedMessagePages, SavedMessageRef, SavedVisibilityRef } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly saved: Saved;
  }
}

const rules = `Each has at most ${TAG_NAME_MAX} characters, no number sign, and no control or format characters. Upper and lower case, and different forms of the same characters, are the same tag, which is shown as it was first written.`;

const tagNames = z
  .array(z.string())
  .max(TAGS_MAX)
  .superRefine((names, context) => {
    for (const name of names) {
      const parsed = tagName(name);
      if (!('wrong' in parsed)) continue;
      const { wrong, max } = parsed;
      context.addIssue({
        code: 'custom',
        message: `has a tag that ${wrong}`,
        ...(max === undefined ? {} : { params: { max } }),
      });
      return;
    }
  })
  .nullish();

/** The names are valid: the input was validated. Each once. */
function namesOf(texts: readonly string[] | null | undefined): readonly TagName[] | undefined {
  if (texts === null || texts === undefined) return undefined;
  const names = validTagNames(texts);
  return names.filter((name, i) => names.findIndex((other) => isSame(name, other)) === i);
}

interface Ids {
  readonly messageId?: string | null | undefined;
  readonly savedMessageId?: string | null | undefined;
}

/** Which saved message of the viewer is meant. Throws BAD_USER_INPUT, and NOT_FOUND for one of another user. */
function savedKeyOf(
  viewer: string,
  { messageId, savedMessageId }: Ids,
): SavedKey & { readonly known: boolean } {
  if (savedMessageId != null && messageId != null) {
    throw badUserInput('input.savedMessageId', '`messageId` and `savedMessageId` cannot be combined.');
  }
  if (savedMessageId != null) {
    const key = parseSavedId(idOf('SavedMessage', savedMessageId) ?? '');
    if (key?.user !== viewer) throw notFound();
    return { ...key, known: true };
  }
  if (messageId == null) throw badUserInput('input.messageId', 'Send `messageId` or `savedMessageId`.');
  return { user: viewer, ...messageKeyOf(messageId), known: false };
}

const eitherId = 'Exactly one of `messageId` and `savedMessageId` is required; `BAD_USER_INPUT` otherwise.';

mutation('saveMessage', {
  description: `Saves a message for the viewer, or changes what was saved. Only members of its room can save a message, or make public what they have saved; the viewer can change and remove what is private also after they left. ${eitherId} \`NOT_FOUND\` for a saved message of another user. Idempotent.`,
  limit: 'saving',
  inputDescription:
    'The arguments of `saveMessage`. What is omitted stays as it is. A message that was not saved is saved privately, without a note, tags and a reminder.',
  input: (t) => ({
    messageId: t.id({ description: 'A message of a room that the viewer is in: a root or a reply.' }),
    savedMessageId: t.id({ description: 'What the viewer has saved.' }),
    visibility: t.field({ type: SavedVisibilityRef, description: 'Whether others see it.' }),
    note: t.string({
      description: `A note: 1 to ${NOTE_MAX} characters, and line breaks are allowed. Null removes it.`,
      validate: text({ characters: NOTE_MAX, multiline: true }).nullish(),
    }),
    tags: t.stringList({
      description: `The tags that it has afterwards: at most ${TAGS_MAX}. ${rules}`,
      validate: tagNames,
    }),
    addTags: t.stringList({
      description: `Tags that it gets; at most ${TAGS_MAX}, together with those that it has. Cannot be combined with \`tags\`.`,
      validate: tagNames,
    }),
    removeTags: t.stringList({
      description: 'Tags that it loses. Cannot be combined with `tags`.',
      validate: tagNames,
    }),
    remindAt: t.field({
      type: 'DateTime',
      description: `When the viewer is reminded of it, by a notification and a delivery: ${AHEAD}, unless it is the time that it has, or had when it was removed: if that has passed, the viewer is reminded at once. Null removes the reminder. \`CONFLICT\` (\`LIMIT_REACHED\`) above ${REMINDERS_MAX} reminders.`,
    }),
    version: t.int({
      description:
        'The version that it must have. `CONFLICT` (`VERSION_CHANGED`) if it has another one or is not saved.',
    }),
  }),
  resolve: async (viewer, { messageId, savedMessageId, ...input }, { services }) => {
    const { known, ...key } = savedKeyOf(viewer, { messageId, savedMessageId });
    for (const field of ['addTags', 'removeTags'] as const) {
      if (input.tags != null && input[field] != null) {
        throw badUserInput(`input.${field}`, `\`${field}\` cannot be combined with \`tags\`.`);
      }
    }
    if (input.remindAt != null) await services.rateLimiter.charge('reminders', viewer);
    const changes = {
      visibility: input.visibility ?? undefined,
      note: input.note,
      version: input.version ?? undefined,
      remindAt: input.remindAt === null ? null : input.remindAt?.getTime(),
      tags: namesOf(input.tags),
      addTags: namesOf(input.addTags),
      removeTags: namesOf(input.removeTags),
    };
    const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
    const change: SavedChange = Object.fromEntries(entries);
    return { savedMessage: await services.saved.save(key, change, { known }) };
  },
  payload: (t) => ({
    savedMessage: t.expose('savedMessage', {
      type: SavedMessageRef,
      description: 'The message as it is saved now.',
    }),
    savedMessageEdge: t.field({
      type: SavedMessagePages.edge,
      description: 'What is saved, in `Viewer.savedMessages` without other arguments.',
      resolve: ({ savedMessage }) => savedMessageEdge(savedMessage),
    }),
    reminderEdge: t.field({
      type: SavedMessagePages.edge,
      nullable: true,
      description: 'The reminder in `Viewer.reminders`; null if the viewer is not reminded of it.',
      resolve: ({ savedMessage }) => reminderEdge(savedMessage),
    }),
  }),
});

const RemovedSavedMessageRef = builder.objectRef<RemovedEntry>('RemovedSavedMessage').implement({
  description: 'What was saved until it was removed. With these values, `saveMessage` restores it.',
  fields: (t) => ({
    id: t.id({
      description: 'The id that it had. It is the same if the message is saved again.',
      resolve: ({ entry }) => encodeId('SavedMessage', savedId(entry)),
    }),
    visibility: t.field({
      type: SavedVisibilityRef,
      description: 'Whether others saw it.',
      resolve: ({ entry }) => entry.visibility,
    }),
    note: t.string({
      nullable: true,
      description: 'Its note; null if there was none.',
      resolve: ({ entry }) => entry.note,
    }),
    tags: t.stringList({
      description: 'The names of its tags.',
      resolve: ({ names }) => [...names],
    }),
    remindAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the viewer was to be reminded of it; null if they were not.',
      resolve: ({ entry: { remindAt } }) => (remindAt === null ? null : new Date(remindAt)),
    }),
  }),
});

mutation('removeSavedMessage', {
  description: `Removes what the viewer has saved, also if they may not see the message any more. ${eitherId} Idempotent.`,
  limit: 'saving',
  input: (t) => ({
    messageId: t.id({ description: 'The message that was saved.' }),
    savedMessageId: t.id({ description: 'What the viewer has saved.' }),
  }),
  resolve: async (viewer, ids, { services }) => {
    const { known: _known, ...key } = savedKeyOf(viewer, ids);
    return { key, removed: await services.saved.remove(key) };
  },
  payload: (t) => ({
    removed: t.expose('removed', {
      type: RemovedSavedMessageRef,
      nullable: true,
      description: 'What was removed; null if the message was not saved.',
    }),
    message: t.field({
      type: MessageRef,
      nullable: true,
      description: 'The message; null if the viewer may not see it.',
      resolve: ({ key }, _args, { items }) => loadVisible(key, key.user, items),
    }),
  }),
});
