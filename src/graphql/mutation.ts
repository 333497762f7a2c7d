import type {
  InputFieldBuilder,
  InputFieldMap,
  InputObjectRef,
  InputShapeFromFields,
  MaybePromise,
  ObjectFieldsShape,
  ObjectRef,
} from '@pothos/core';
import type { TsudoiError } from '../core/errors.ts';
import type { RateLimitedAction } from '../core/rateLimits.ts';
import { builder, type PothosTypes } from './builder.ts';
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
  /**
   * BAD_USER_INPUT for what is wrong by more than its form: by the time, or by what the operator has set up. `resolve`
   * throws the same. It is called only if another value's form is wrong, so that all are listed together. It reads
   * nothing, and its input is not validated.
   */
  readonly alsoWrong?: AlsoWrong<InputShapeFromFields<Fields>>;
  readonly resolve: (
    viewer: string,
    input: InputShapeFromFields<Fields>,
    context: Context,
  ) => MaybePromise<Payload>;
  /** The payload's fields. It comes after `resolve`, because TypeScript takes the payload's type from there. */
  readonly payload: ObjectFieldsShape<PothosTypes, Payload>;
}

export type AlsoWrong<Input> = (input: Input, context: Context) => ReadonlyArray<TsudoiError | undefined>;

/**
 * Defines a mutation with its types `<Name>Input` and `<Name>Payload`. The builder checks the viewer
 * (UNAUTHENTICATED) and the input (BAD_USER_INPUT) first. Then the limit is charged (RATE_LIMITED), before
 * anything is read: a refused call costs DynamoDB nothing. Then `resolve` runs.
 */
export function mutation<Fields extends InputFieldMap, Payload extends object>(
  name: string,
  options: MutationOptions<Fields, Payload>,
): MutationTypes<Fields, Payload> {
  const { description, input, inputDescription, payload } = options;
  const { inputType, payloadType } = builder.relayMutationField(
    name,
    { description: inputDescription ?? `The arguments of \`${name}\`.`, inputFields: input },
    { description, ...common(options) },
    {
      description: `The result of \`${name}\`.`,
      outputFields: payload as unknown as ObjectFieldsShape<PothosTypes, object>,
    },
  );
  return { inputType, payloadType } as unknown as MutationTypes<Fields, Payload>;
}

/** The types of a mutation, for another that has the same. */
export interface MutationTypes<Fields extends InputFieldMap, Payload extends object> {
  readonly inputType: InputObjectRef<PothosTypes, InputShapeFromFields<Fields>>;
  readonly payloadType: ObjectRef<PothosTypes, Payload>;
}

/** As `mutation`, with the input and payload types of another one. */
export function mutationLike<Fields extends InputFieldMap, Payload extends object>(
  { inputType, payloadType }: MutationTypes<Fields, Payload>,
  name: string,
  options: Pick<MutationOptions<Fields, Payload>, 'description' | 'limit' | 'resolve'>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      description: options.description,
      // The builder's types do not resolve the generic payload.
      type: payloadType as unknown as ObjectRef<PothosTypes, object>,
      args: {
        input: t.arg({ type: inputType, required: true, description: 'The arguments of the mutation.' }),
      },
      ...common(options),
    }),
  );
}

/** As `mutation`, for one that says everything by its name: its field has no arguments. */
export function mutationWithoutInput<Payload extends object>(
  name: string,
  {
    description,
    limit,
    resolve,
    payload,
  }: Pick<MutationOptions<InputFieldMap, Payload>, 'description' | 'limit' | 'payload'> & {
    readonly resolve: (viewer: string, context: Context) => MaybePromise<Payload>;
  },
): void {
  const type = builder.objectRef<object>(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}Payload`);
  type.implement({
    description: `The result of \`${name}\`.`,
    fields: payload as unknown as ObjectFieldsShape<PothosTypes, object>,
  });
  builder.mutationField(name, (t) =>
    t.field({
      type,
      description,
      ...common({
        limit,
        resolve: (viewer, _input: undefined, context): MaybePromise<object> => resolve(viewer, context),
      }),
    }),
  );
}

/** What all kinds of mutation have in common. */
const common = <Input, Payload extends object>({
  limit,
  alsoWrong,
  resolve,
}: {
  readonly limit: MutationLimit;
  readonly alsoWrong?: AlsoWrong<Input>;
  readonly resolve: (viewer: string, input: Input, context: Context) => MaybePromise<Payload>;
}) => ({
  // A failure is null in its own field: the results of a document's other mutations still reach the client.
  nullable: true as const,
  extensions: { rateLimit: limit, alsoWrong },
  resolve: async (_root: object, args: object, context: Context): Promise<Payload> => {
    const viewer = requireViewer(context);
    await context.services.rateLimiter.charge(limit, viewer);
    // The plugin's types do not resolve `Fields` here; the arguments are of exactly this type.
    const { input } = args as { readonly input: Input };
    return resolve(viewer, input, context);
  },
});
