import type {
  InputFieldBuilder,
  InputFieldMap,
  InputShapeFromFields,
  MaybePromise,
  ObjectFieldsShape,
} from '@pothos/core';
import type { RateLimitedAction } from '../core/rateLimits.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { type Context, requireViewer } from './context.ts';

/** `anonymous` limits requests without a valid token: the server charges it, and no mutation runs for them. */
export type MutationLimit = Exclude<RateLimitedAction, 'anonymous'>;

export interface MutationOptions<Fields extends InputFieldMap, Payload extends object> {
  /** What it does, its bounds and its error codes. */
  readonly description: string;
  /** The rate limit that each call is charged to, also if the call fails afterwards. */
  readonly limit: MutationLimit;
  /** Replaces the default description of the input type. */
  readonly inputDescription?: string;
  readonly input: (t: InputFieldBuilder<PothosTypes, 'InputObject'>) => Fields;
  readonly resolve: (
    viewer: string,
    input: InputShapeFromFields<Fields>,
    context: Context,
  ) => MaybePromise<Payload>;
  /** The payload's fields. It comes after `resolve`, because TypeScript takes the payload's type from there. */
  readonly payload: ObjectFieldsShape<PothosTypes, Payload>;
}

type PothosTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/**
 * Defines a mutation with its types `<Name>Input` and `<Name>Payload`. The builder checks the viewer
 * (UNAUTHENTICATED) and the input (BAD_USER_INPUT) first. Then the limit is charged (RATE_LIMITED), before
 * anything is read: a refused call costs DynamoDB nothing. Then `resolve` runs.
 */
export function mutation<Fields extends InputFieldMap, Payload extends object>(
  name: string,
  options: MutationOptions<Fields, Payload>,
): void {
  const { description, limit, input, inputDescription, resolve, payload } = options;
  builder.relayMutationField(
    name,
    { description: inputDescription ?? `The arguments of \`${name}\`.`, inputFields: input },
    {
      description,
      // A failure is null in its own field: the results of a document's other mutations still reach the client.
      nullable: true,
      extensions: { rateLimit: limit },
      resolve: async (_root, args, context): Promise<object> => {
        const viewer = requireViewer(context);
        await context.services.rateLimiter.charge(limit, viewer);
        // Inside this function the plugin's types do not resolve `Fields`; the arguments are of exactly this type.
        const given = args as unknown as { readonly input: InputShapeFromFields<Fields> };
        return resolve(viewer, given.input, context);
      },
    },
    {
      description: `The result of \`${name}\`.`,
      outputFields: payload as unknown as ObjectFieldsShape<PothosTypes, object>,
    },
  );
}
