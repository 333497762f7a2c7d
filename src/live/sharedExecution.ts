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
import type { Payload, PushResult, SubscribeMiddleware } from '../core/subscribe.ts';
import { compileSync, type WriteResult } from '../graphql/syncExecution.ts';
import { BoundedMap } from './boundedMap.ts';
import { isPartial, resultsOf } from './completeOnPartialError.ts';
import { createSharedResults } from './sharedResults.ts';
import { eventIterator, isLiveStream, type LiveStream, type Sink } from './subscription.ts';

/** Operations of one document that are kept compiled, by their variables, and the characters of those. */
const COMPILED_MAX = 8;
const KEY_MAX = 1_000;

/**
 * GraphQL's `subscribe` for live streams whose results are pushed. Fields that give many readers the same event
 * objects, and whose `resolve` does not use its arguments, say so with `extensions: { sharedEvents: true }`: their
 * events are executed once for all readers with the same selection. The events of other fields are written by
 * `compileSync`, or executed. Without `push`, `next` subscribes. Every stream completes after a partial result.
 */
export function createSharedExecution(): SubscribeMiddleware {
  const resultOf = createSharedResults();
  const compiled = new WeakMap<DocumentNode, BoundedMap<string, WriteResult>>();
  const numbers = new WeakMap<DocumentNode, number>();
  let lastNumber = 0;

  function selectionOf({ document, operationName, variableValues }: ExecutionArgs, root: FieldNode): string {
    const number = numbers.get(document) ?? ++lastNumber;
    numbers.set(document, number);
    const values = new Map(Object.entries(variableValues ?? {}));
    const used = variablesBelow(document, root).filter((name) => values.has(name));
    return JSON.stringify([number, operationName, used.map((name) => [name, values.get(name)])]);
  }

  /** One for all readers with the same operation: a thousand readers' own copies would take twice the CPU. */
  function compiledOf(args: ExecutionArgs): WriteResult {
    const key = JSON.stringify([args.operationName, args.variableValues]);
    const ofDocument = compiled.get(args.document) ?? new BoundedMap<string, WriteResult>(COMPILED_MAX);
    compiled.set(args.document, ofDocument);
    const known = ofDocument.get(key) ?? compileSync(args);
    if (key.length <= KEY_MAX) ofDocument.set(key, known);
    return known;
  }

  function resultsFor(args: ExecutionArgs): (event: object) => Payload | Promise<Payload> {
    const root = sharedField(args);
    if (root === undefined) return ownResults(args, compiledOf(args));
    const selection = selectionOf(args, root);
    return (event) => resultOf(event, selection, args);
  }

  return async (args, next) => {
    const { push } = args;
    if (push === undefined) {
      const stream = await next(args);
      return isStream(stream) ? resultsOf(stream, (result) => result) : stream;
    }
    const stream = await createSourceEventStream(args);
    if (!isStream(stream)) return stream;
    if (!isLiveStream(stream)) return resultsOf(stream, (event) => execute({ ...args, rootValue: event }));
    return pushed(stream as LiveStream<object>, resultsFor(args), push);
  };
}

/** Results for one reader. If one could not be written, the later ones are executed without trying. */
function ownResults(
  args: ExecutionArgs,
  compiled: WriteResult,
): (event: object) => Payload | Promise<Payload> {
  let write: WriteResult | undefined = compiled;
  return (event) => {
    const text = write?.(event, args.contextValue);
    if (text !== undefined) return Buffer.from(text);
    write = undefined;
    return execute({ ...args, rootValue: event });
  };
}

/** Pushes the results of a stream's events. Completes after a partial one, as `resultsOf` does. */
function pushed<T>(
  stream: LiveStream<T>,
  resultOf: (event: T) => Payload | Promise<Payload>,
  push: PushResult,
): AsyncIterableIterator<never> {
  const close = () => void stream.return?.();

  function send(result: Payload): Promise<void> | void {
    const sent = push(result);
    if (Buffer.isBuffer(result) || !isPartial(result)) return sent;
    close();
  }

  const sink: Sink<T> = (event) => {
    const result = resultOf(event);
    return result instanceof Promise ? result.then(send) : send(result);
  };
  return eventIterator<never>({
    close,
    async next() {
      await stream.pushTo(sink);
      return { done: true, value: undefined };
    },
  });
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
