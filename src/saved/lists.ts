/** The lists of saved messages, and the mark on a message. */

import { PAGE_DEFAULT, PAGE_MAX } from '../core/pages.ts';
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { connection, parsePageArgs } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { MessageRef } from '../messages/types.ts';
import { ViewerRef } from '../users/types.ts';
import { entryOf, SAVED_POSITION } from './entry.ts';
import type { ListedEntry, SavedQuery } from './pages.ts';
import { SavedCountsRef, SavedMessageConnection, SavedMessageRef, SavedVisibilityRef } from './types.ts';

/** In the order of its values in the schema. */
const ORDERS = ['SAVED_NEWEST', 'SAVED_OLDEST'] as const;

const SavedOrderRef = builder.enumType('SavedOrder', {
  description: 'The order of saved messages.',
  values: {
    SAVED_NEWEST: { description: 'The last that was saved comes first.' },
    SAVED_OLDEST: { description: 'The first that was saved comes first.' },
  } satisfies Record<(typeof ORDERS)[number], object>,
});

/** The arguments of a list that has an order of its own, and is read from either end. */
const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `Asks for the first items of the list, or for those that follow \`after\`: 1 to ${PAGE_MAX}, and ${PAGE_DEFAULT} if omitted. Cannot be combined with \`last\` or \`before\`.`,
  }),
  after: t.string({
    description: 'A cursor of this list: the page begins after it. Cannot be combined with `before`.',
  }),
  last: t.int({
    description: `Asks for the last items of the list, or for those that precede \`before\`: 1 to ${PAGE_MAX}.`,
  }),
  before: t.string({
    description: 'A cursor of this list: the page ends before it. Cannot be combined with `after`.',
  }),
}));

/** The last time that a position can have. */
const LATEST_MS = 9_999_999_999_999;

/** The first microsecond of a millisecond; of one before 1970, or long after, the nearest that positions have. */
const startOf = (date: Date): Timestamp =>
  toTimestamp(Math.min(Math.max(0, Math.trunc(date.getTime())), LATEST_MS) * 1_000);

builder.objectField(ViewerRef, 'savedMessages', (t) =>
  t.field({
    type: SavedMessageConnection,
    description:
      'What the viewer has saved. A page may be shorter than requested if something is changed at the same moment.',
    args: {
      visibility: t.arg({ type: SavedVisibilityRef, description: 'Only these. By default all.' }),
      untagged: t.arg.boolean({
        description: 'Whether to return only those without tags. The default is false.',
      }),
      orderBy: t.arg({
        type: SavedOrderRef,
        defaultValue: 'SAVED_NEWEST',
        description: 'The order of the list.',
      }),
      from: t.arg({
        type: 'DateTime',
        description: 'The time at which the list begins, in the direction of its order.',
      }),
      ...pageArgs,
    },
    resolve: async ({ user }, { visibility, untagged, orderBy, from, ...args }, { services, items }) => {
      const query: SavedQuery = {
        user: user.id,
        visibility: visibility ?? undefined,
        list: untagged === true ? 'UNTAGGED' : 'ALL',
        newestFirst: orderBy !== 'SAVED_OLDEST',
        start: from == null ? undefined : startOf(from),
      };
      const codec = {
        // A list that begins elsewhere has other positions.
        list: `saved:${query.user}:${query.visibility ?? 'ALL'}:${query.list}:${query.newestFirst}:${query.start ?? ''}`,
        position: SAVED_POSITION,
      };
      const request = parsePageArgs(args, codec);
      const page = await services.saved.list(query, request, items);
      return connection(page, request, { codec, position: ({ position }: ListedEntry) => position });
    },
  }),
);

builder.objectField(ViewerRef, 'savedCounts', (t) =>
  t.field({
    type: SavedCountsRef,
    description: 'How many messages the viewer has saved.',
    resolve: ({ user }, _args, { services, items }) => services.saved.counts(user.id, items),
  }),
);

builder.objectField(MessageRef, 'viewerSaved', (t) =>
  t.field({
    type: SavedMessageRef,
    nullable: true,
    description:
      'What the viewer has saved of the message; null if it is not saved. The values of a page are read together with `viewerHasLiked`.',
    resolve: async ({ viewerItems, ...message }, _args, context) => {
      const user = requireViewer(context);
      const key = keys.saved(user, message);
      const item = await (viewerItems?.find?.(key) ?? context.items.load(key));
      return entryOf({ user, ...message }, item) ?? null;
    },
  }),
);
