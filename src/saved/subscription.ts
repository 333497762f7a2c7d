import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { encodeId } from '../graphql/ids.ts';
import { savedId } from './entry.ts';
import type { SavedStreams } from './live/savedStreams.ts';
import type { SavedEvent } from './live/subscription.ts';
import { SavedCountsRef, SavedMessageRef } from './types.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly savedStreams: SavedStreams;
  }
}

const SavedChangeRef = builder.objectRef<SavedEvent>('SavedChange').implement({
  description:
    'What the viewer has saved and changed, on any of their devices. With neither `savedMessage` nor `removedId`, changes from before may be unknown, or a tag has another name: read again what is shown.',
  fields: (t) => ({
    savedMessage: t.expose('entry', {
      type: SavedMessageRef,
      nullable: true,
      description: 'The current saved message; null if it was removed.',
    }),
    removedId: t.id({
      nullable: true,
      description: 'The id of a saved message that was removed; null otherwise.',
      resolve: ({ removed }, _args, context) =>
        removed === null
          ? null
          : encodeId('SavedMessage', savedId({ user: requireViewer(context), ...removed })),
    }),
    version: t.exposeInt('version', {
      description:
        'The version of the saved message, also of one that was removed: saving it again continues it. 0 if there is none. A client that has a higher one keeps its own.',
    }),
    counts: t.expose('counts', {
      type: SavedCountsRef,
      description: 'How many messages the viewer has saved now. Those of a later event are newer.',
    }),
  }),
});

builder.subscriptionField('savedChanged', (t) =>
  t.field({
    type: SavedChangeRef,
    description:
      "The viewer's saved messages as they change, on all of their devices. The first event has no saved message: all changes that follow it are sent. It is sent again after a gap, and after a tag was renamed. Of many changes of one saved message, only the last may be sent. The subscription completes if a part of an event could not be read: subscribe again.",
    subscribe: (_root, _args, context) => context.services.savedStreams.subscribe(requireViewer(context)),
    resolve: (change) => change,
  }),
);
