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

export const builder = new SchemaBuilder<SchemaTypes>({
  // Order matters: authorization runs before validation, so a stranger learns nothing about arguments.
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
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The page, each item with its cursor.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item itself.' },
    cursorFieldOptions: { description: 'Where this item stands: pass it to `after` or `before`.' },
    pageInfoFieldOptions: { description: 'Whether there is more, and where to go on.' },
    hasNextPageFieldOptions: { description: 'Whether there is more behind `endCursor`.' },
    hasPreviousPageFieldOptions: { description: 'Whether there is more before `startCursor`.' },
    startCursorFieldOptions: { description: "The first item's cursor; null on an empty page." },
    endCursorFieldOptions: { description: "The last item's cursor; null on an empty page." },
    pageInfoTypeOptions: { description: 'About a page of a connection (Relay cursor specification).' },
    nodeTypeOptions: { description: 'Everything with a global id.' },
    idFieldOptions: { description: 'Opaque, global, and the same for as long as the thing exists.' },
    encodeGlobalID: (typename, id) => encodeId(typename, String(id)),
    decodeGlobalID: decodeId,
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  validation: { validationError },
});

builder.queryType({
  description: 'Reading. Every field needs a signed-in viewer.',
  authScopes: { signedIn: true },
});
builder.mutationType({
  description:
    'Changing. Each takes one `input` and returns its payload, or an error with `extensions.code`.',
  authScopes: { signedIn: true },
});
builder.subscriptionType({
  description: 'Listening, over a websocket (the graphql-transport-ws protocol) at the same path.',
  authScopes: { signedIn: true },
});
builder.addScalarType('DateTime', DateTimeResolver, { description: 'A moment, as RFC 3339 in UTC.' });
