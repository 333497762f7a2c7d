import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  getOperationAST,
  Kind,
  visit,
} from 'graphql';
import type { Context } from '../graphql/context.ts';
import { resultsOf } from './completeOnPartialError.ts';

export type Subscribed = AsyncIterable<ExecutionResult> | ExecutionResult;
export type Subscribe = (args: ExecutionArgs) => Subscribed | Promise<Subscribed>;
/** GraphQL's `subscribe`. `next` is the one that it replaces or wraps. */
export type SubscribeMiddleware = (args: ExecutionArgs, next: Subscribe) => ReturnType<Subscribe>;

/** What is the same in all readers' contexts. Everything else there is, or will be one day, belongs to the viewer. */
const COMMON: ReadonlySet<PropertyKey> = new Set<keyof Context>(['items', 'services']);
/** Different selections of one event whose results are kept, for as long as someone holds the event. */
const SELECTIONS_MAX = 16;

/**
 * GraphQL's `subscribe` for fields that give many readers the same event objects, and whose `resolve` does not use its
 * arguments: they say so with `extensions: { sharedEvents: true }`. Their events are executed once for all readers
 * with the same selection. All other fields go to `next`. Every stream completes after a partial result.
 */
export function createSharedExecution(): SubscribeMiddleware {
  const resultOf = createSharedResults();
  const numbers = new WeakMap<DocumentNode, number>();
  let lastNumber = 0;

  function selectionOf({ document, operationName, variableValues }: ExecutionArgs, root: FieldNode): string {
    const number = numbers.get(document) ?? ++lastNumber;
    numbers.set(document, number);
    const values = new Map(Object.entries(variableValues ?? {}));
    const used = variablesBelow(document, root).filter((name) => values.has(name));
    return JSON.stringify([number, operationName, used.map((name) => [name, values.get(name)])]);
  }

  return async (args, next) => {
    const root = sharedField(args);
    if (root === undefined) {
      const stream = await next(args);
      return isStream(stream) ? resultsOf(stream, (result) => result) : stream;
    }
    const stream = await createSourceEventStream(args);
    if (!isStream(stream)) return stream;
    const selection = selectionOf(args, root);
    return resultsOf(stream, (event) => resultOf(event as object, selection, args));
  };
}

const isStream = <T>(stream: AsyncIterable<T> | ExecutionResult): stream is AsyncIterable<T> =>
  Symbol.asyncIterator in stream;

/** The operation's field, if its events are shared. A field inside a fragment is not looked for. */
function sharedField({ schema, document, operationName }: ExecutionArgs): FieldNode | undefined {
  const root = getOperationAST(document, operationName)?.selectionSet.selections[0];
  if (root?.kind !== Kind.FIELD) return undefined;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  return field?.extensions.sharedEvents === true ? root : undefined;
}

/**
 * The variables that are used anywhere but in the field's own arguments. Those decide which events it sends, so a
 * reader's cursor does not make another selection.
 */
function variablesBelow(document: DocumentNode, root: FieldNode): string[] {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Argument: (argument) => (root.arguments?.includes(argument) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return [...names];
}

interface SharedResult {
  /** A resolver has asked who the viewer is: the result belongs to this reader alone. */
  readonly personal: boolean;
  /** The first reader's result. */
  readonly first: Promise<ExecutionResult>;
  /** The result for the others. Undefined if it is personal or has errors. Never rejects. */
  readonly common: Promise<ExecutionResult | undefined>;
}

/**
 * Executes an event once for all readers with the same selection. If a resolver asks who the viewer is, or something
 * fails, it is executed for each reader. So no field has to declare that it depends on the viewer, and none can
 * forget to.
 */
function createSharedResults() {
  const kept = new WeakMap<object, Map<string, SharedResult>>();

  /** `selection`: everything that the result depends on, apart from the event and the viewer. */
  return async (event: object, selection: string, args: ExecutionArgs): Promise<ExecutionResult> => {
    const ofEvent = kept.get(event) ?? new Map<string, SharedResult>();
    kept.set(event, ofEvent);
    const known = ofEvent.get(selection);
    if (known === undefined && ofEvent.size < SELECTIONS_MAX) {
      const shared = share(event, args);
      ofEvent.set(selection, shared);
      return shared.first;
    }
    const common = known === undefined || known.personal ? undefined : await known.common;
    return common ?? execute({ ...args, rootValue: event });
  };
}

function share(event: object, args: ExecutionArgs): SharedResult {
  let personal = false;
  const contextValue = new Proxy(args.contextValue as object, {
    get(context, name) {
      if (!COMMON.has(name)) personal = true;
      return Reflect.get(context, name);
    },
  });
  const first = Promise.resolve(execute({ ...args, rootValue: event, contextValue }));
  const common = first.then(
    (result) => (personal || result.errors !== undefined ? undefined : result),
    () => undefined,
  );
  return {
    get personal() {
      return personal;
    },
    first,
    common,
  };
}
