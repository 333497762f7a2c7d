/** The GraphQL types of what led to a change of a message. */
import { builder } from '../graphql/builder.ts';
import { MESSAGE_CHANGES, type MessageChange } from '../messages/lastChange.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { StampRef, stampBy } from '../reactions/stamps/types.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';

const REACTION_CHANGES = REACTIONS.flatMap(({ changes: { added, removed } }) => [added, removed]);

type ChangeKind = keyof typeof MESSAGE_CHANGES | (typeof REACTION_CHANGES)[number]['kind'];

const KINDS = {
  ...MESSAGE_CHANGES,
  ...Object.fromEntries(REACTION_CHANGES.map(({ kind, description }) => [kind, { description }])),
} as Readonly<Record<ChangeKind, { readonly description: string }>>;

export type MessageCause = MessageChange & { readonly kind: ChangeKind };

/** A server of a later release may have stored a kind that this one does not know: then the cause is unknown. */
export const isKnownCause = (change: MessageChange | null): change is MessageCause =>
  change !== null && Object.hasOwn(KINDS, change.kind);

const MessageChangeKindRef = builder.enumType('MessageChangeKind', {
  description: 'What a user did to a message.',
  values: KINDS,
});

export const MessageChangeCauseRef = builder.objectRef<MessageCause>('MessageChangeCause').implement({
  description: 'What led to a change of a message.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MessageChangeKindRef, description: 'The kind of the change.' }),
    actor: t.field({
      type: UserRef,
      description: 'The user who did it. They may have left the room since.',
      resolve: ({ actor }, _args, { items }) => loadUserOrThrow(actor, items),
    }),
    stamp: t.field({
      type: StampRef,
      nullable: true,
      description: 'The stamp that was put on the message or removed; null if it was another change.',
      resolve: ({ detail: stamp }, _args, context) => (stamp === undefined ? null : stampBy(stamp, context)),
    }),
  }),
});
