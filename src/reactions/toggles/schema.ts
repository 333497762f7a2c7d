/** What a kind of reaction of which each user has at most one adds to the API. */
import type { Timestamp } from '../../core/timestamps.ts';
import { builder } from '../../graphql/builder.ts';
import { forwardArgs, POSITIONS, pagedList } from '../../graphql/connections.ts';
import { type Context, requireViewer, type Services } from '../../graphql/context.ts';
import { type MutationLimit, mutation } from '../../graphql/mutation.ts';
import type { Message, MessageKey, ViewerItems } from '../../messages/message.ts';
import { MessageRef, type MessageView, messageKeyOf, viewerHas } from '../../messages/types.ts';
import { loadUserOrThrow, UserPages } from '../../users/types.ts';
import { countOf, type ToggleStorage } from './reaction.ts';
import type { Reactor } from './reactors.ts';
import type { ReactedMessage, Toggles } from './toggles.ts';

interface Described {
  readonly name: string;
  readonly description: string;
}

interface DescribedMutation extends Described {
  /** The description of the message in its payload. */
  readonly message: string;
}

export interface ToggleSchema {
  readonly kind: ToggleStorage;
  readonly service: (services: Services) => Toggles;
  readonly limit: MutationLimit;
  /** Fields of messages. The field with the count has the name of the stored attribute. */
  readonly fields: {
    readonly count: string;
    /** Whether the viewer has reacted. */
    readonly viewerHas: Described;
    /** The users who reacted, in pages. */
    readonly reactors: Described;
  };
  readonly mutations: {
    readonly add: DescribedMutation & {
      /** The field of the payload with the viewer's edge in the list of those who reacted. */
      readonly edge: Described;
    };
    readonly remove: DescribedMutation;
  };
}

const reactedMessage = {
  required: true,
  description: 'A message of a room that the viewer is in: a root or a reply.',
} as const;

/**
 * Adds three fields to messages, and two mutations. Returns the payload of the one that adds, for what a kind has
 * beside it.
 */
export function addToggle({ kind, service, limit, fields, mutations }: ToggleSchema) {
  const count = (message: Message) => countOf(kind, message);
  const reactors = pagedList({
    cursors: ({ room, threadTs, ts }: MessageKey) => ({
      list: `${fields.reactors.name}:${room}:${threadTs}:${ts}`,
      position: POSITIONS.timestampAndId,
    }),
    position: ({ cursor }: Reactor) => cursor,
  });

  /** Null if the reaction was removed in the meantime. */
  async function reactorEdge(message: MessageKey, context: Context) {
    const viewer = requireViewer(context);
    const reaction = await context.items.load(kind.key(viewer, message));
    if (reaction === undefined) return null;
    const cursor = kind.index.sk(reaction.at as Timestamp, viewer);
    return reactors.edge(message, { ...(await loadUserOrThrow(viewer, context.items)), cursor });
  }

  builder.objectField(MessageRef, kind.count, (t) => t.int({ description: fields.count, resolve: count }));

  builder.objectField(MessageRef, fields.viewerHas.name, (t) =>
    t.boolean({
      description: fields.viewerHas.description,
      // If there are no reactions, nothing has to be read.
      resolve: (message, _args, context, info) =>
        count(message) > 0 &&
        viewerHas(
          message,
          { context, info },
          {
            key: (user) => kind.key(user, message),
            holders: (readers) => service(context.services).holders(message, readers),
          },
        ),
    }),
  );

  builder.objectField(MessageRef, fields.reactors.name, (t) =>
    t.field({
      type: UserPages.connection,
      description: fields.reactors.description,
      args: forwardArgs,
      resolve: (message, args, { services, items }) =>
        reactors.page(message, args, (request) =>
          count(message) === 0
            ? { nodes: [], more: false }
            : service(services).reactors(message, { ...request, items }),
        ),
    }),
  );

  /** The viewer's reaction is known, so it is not read again. */
  function payload(viewer: string, { message, reacted }: ReactedMessage): { readonly message: MessageView } {
    const { pk, sk } = kind.key(viewer, message);
    const viewerItems: ViewerItems = {
      has: (key) => (key.pk === pk && key.sk === sk ? Promise.resolve(reacted) : undefined),
    };
    return { message: { ...message, viewerItems } };
  }

  const define = (change: 'add' | 'remove') => {
    const { name, description, message } = mutations[change];
    return mutation(name, {
      description,
      limit,
      input: (t) => ({ messageId: t.id(reactedMessage) }),
      resolve: async (viewer, { messageId }, { services }) =>
        payload(viewer, await service(services)[change](viewer, messageKeyOf(messageId))),
      payload: (t) => ({
        message: t.expose('message', { type: MessageRef, description: message }),
        ...(change === 'add'
          ? {
              [mutations.add.edge.name]: t.field({
                type: UserPages.edge,
                nullable: true,
                description: mutations.add.edge.description,
                resolve: (payload: { readonly message: MessageView }, _args: object, context: Context) =>
                  reactorEdge(payload.message, context),
              }),
            }
          : {}),
      }),
    });
  };
  const { payloadType } = define('add');
  define('remove');
  return { addedPayload: payloadType };
}
