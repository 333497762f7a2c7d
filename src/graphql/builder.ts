import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import { DateTimeResolver } from 'graphql-scalars';
import { TsudoiError, unauthenticated } from '../core/errors.ts';
import type { Context } from './context.ts';
import { decodeId, encodeId } from './ids.ts';
import { validationError } from './validation.ts';

export interface SchemaTypes {
  Context: Context;
  AuthScopes: { signedIn: boolean };
  Scalars: { DateTime: { Input: Date; Output: Date }; ID: { Input: string; Output: string } };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
}

/** As the builder's functions name them, for helpers that take or return its types. */
export type PothosTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

export const builder = new SchemaBuilder<SchemaTypes>({
  // Order matters: authorization runs before validation, so an anonymous client learns nothing about arguments.
  plugins: [ScopeAuthPlugin, RelayPlugin, ValidationPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ viewer }) => ({ signedIn: viewer !== null }),
    unauthorizedError: (_parent, _context, _info, { failure }) =>
      'error' in failure && failure.error instanceof TsudoiError ? failure.error : unauthenticated(),
  },
  relay: {
    cursorType: 'String',
    clientMutationId: 'omit',
    mutationInputArgOptions: { description: 'The arguments of the mutation.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The items of the page, each with its cursor.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item that the edge leads to.' },
    cursorFieldOptions: {
      description: "The item's position in the list: pass it as `after` or `before` to get another page.",
    },
    pageInfoFieldOptions: { description: 'The ends of the page, and whether there are more items.' },
    hasNextPageFieldOptions: { description: 'Whether there are items after `endCursor`.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before `startCursor`.' },
    startCursorFieldOptions: { description: 'The cursor of the first item; null if the page is empty.' },
    endCursorFieldOptions: { description: 'The cursor of the last item; null if the page is empty.' },
    pageInfoTypeOptions: {
      description: 'The position of a page in its list, by the Relay cursor connections specification.',
    },
    nodeTypeOptions: { description: 'An object with a global id, which `node` and `nodes` can read.' },
    idFieldOptions: {
      description: 'The global id: an opaque text that never changes while the object exists.',
    },
    encodeGlobalID: (typename, id) => encodeId(typename, String(id)),
    decodeGlobalID: decodeId,
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  validation: { validationError },
});

builder.queryType({
  description: 'Reads data. Every field requires a signed-in viewer (`UNAUTHENTICATED` otherwise).',
  authScopes: { signedIn: true },
});
builder.mutationType({
  description:
    'Changes data. Every mutation takes one `input`, requires a signed-in viewer (`UNAUTHENTICATED` otherwise), has a rate limit (`RATE_LIMITED`), and returns its payload or an error with `extensions.code`. An object that the viewer may not see is `NOT_FOUND`; one that they see but may not change is `FORBIDDEN`.',
  authScopes: { signedIn: true },
});
builder.subscriptionType({
  description:
    'Sends changes as they happen, over a websocket (protocol graphql-transport-ws) or as server-sent events (protocol graphql-sse, distinct connections) at the same path. Every field requires a signed-in viewer (`UNAUTHENTICATED` otherwise).',
  authScopes: { signedIn: true },
});
builder.addScalarType('DateTime', DateTimeResolver, {
  description: 'A point in time in UTC, as text by RFC 3339, to the millisecond.',
});
