/** Reminders of saved messages: the list of the viewer's own, and moving one. */
import { AHEAD } from '../../core/ahead.ts';
import { notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList } from '../../graphql/connections.ts';
import { idOf } from '../../graphql/ids.ts';
import { mutation } from '../../graphql/mutation.ts';
import { ViewerRef } from '../../users/types.ts';
import { REMINDERS_MAX } from '../counts.ts';
import { parseSavedId, type SavedEntry } from '../entry.ts';
import type { ListedEntry } from '../pages.ts';
import { SavedMessagePages, SavedMessageRef } from '../types.ts';

const ownReminders = pagedList({
  cursors: (user: string) => ({ list: `reminders:${user}`, position: POSITIONS.timestampAndMessage }),
  position: ({ position }: ListedEntry) => position,
});

/** In the list of the viewer's reminders. Null if there is none. */
export const reminderEdge = (entry: SavedEntry): Edge<SavedEntry> | null => {
  const { user, remindAt } = entry;
  if (remindAt === null) return null;
  return ownReminders.edge(user, { ...entry, position: keys.reminder(user, remindAt, entry).sk });
};

mutation('snoozeReminder', {
  description: `Reminds the viewer of a saved message at another time, also after a reminder of it was due. \`NOT_FOUND\` if it is not saved any more. \`CONFLICT\` (\`LIMIT_REACHED\`) above ${REMINDERS_MAX} reminders. Idempotent.`,
  limit: 'reminders',
  input: (t) => ({
    savedMessageId: t.id({ required: true, description: 'What the viewer has saved.' }),
    remindAt: t.field({ type: 'DateTime', required: true, description: `The new time: ${AHEAD}.` }),
  }),
  resolve: async (viewer, { savedMessageId, remindAt }, { services }) => {
    const key = parseSavedId(idOf('SavedMessage', savedMessageId) ?? '');
    if (key?.user !== viewer) throw notFound();
    const change = { remindAt: remindAt.getTime() };
    return { savedMessage: await services.saved.save(key, change, { known: true }) };
  },
  payload: (t) => ({
    savedMessage: t.expose('savedMessage', {
      type: SavedMessageRef,
      description: 'The saved message, with its new time.',
    }),
    reminderEdge: t.field({
      type: SavedMessagePages.edge,
      nullable: true,
      description: 'The reminder in `Viewer.reminders`; null if the viewer is not reminded of it.',
      resolve: ({ savedMessage }) => reminderEdge(savedMessage),
    }),
  }),
});

builder.objectField(ViewerRef, 'reminders', (t) =>
  t.field({
    type: SavedMessagePages.connection,
    description: `The saved messages that the viewer will be reminded of, by \`remindAt\`: at most ${REMINDERS_MAX} in all. One that is due leaves the list when the viewer is notified; after an outage it is at the beginning until then. A page may be shorter than requested if something is changed at the same moment.`,
    args: forwardArgs,
    resolve: ({ id }, args, { services, items }) =>
      ownReminders.page(id, args, (request) => services.saved.reminders(id, request, items)),
  }),
);
