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
import { type EventSource, eventIterator } from './eventIterator.ts';
import { createSharedResults } from './sharedResults.ts';
import { isLiveStream, type LiveStream, type SharedResults } from './subscription.ts';

/** How many compiled operations of one document are kept, by their variables, and how long those may be as text. */
const COMPILED_MAX = 8;
const KEY_MAX = 1_000;

/**
 * GraphQL's `subscribe` for live streams whose results are pushed. Fields that give many readers the same event
 * objects, and whose `resolve` does not use its arguments, say so with `extensions: { sharedEvents: true }`: their
 * events are executed once for all readers with the same selection. The events of other fields are written by
 * `compileSync`, or executed. Without `push`, `next` subscribes. Every stream completes after a partial result.
 */
export function createSharedExecution(): SubscribeMiddleware {
  const sharedResults = createSharedResults();
  const compiled = new WeakMap<DocumentNode, BoundedMap<string, WriteResult>>();
  /** By the operation's field: walking through a document takes longer than the rest of the opening here. */
  const selections = new WeakMap<FieldNode, Selection>();
  let lastNumber = 0;

  /**
   * Without variables it is the same string for all readers: equal ones would have to be compared by their characters.
   */
  function keyOf({ document, variableValues }: ExecutionArgs, root: FieldNode): string {
    const known = selections.get(root) ?? {
      name: String(++lastNumber),
      variables: variablesBelow(document, root),
    };
    selections.set(root, known);
    const values = new Map(Object.entries(variableValues ?? {}));
    const used = known.variables.filter((name) => values.has(name));
    if (used.length === 0) return known.name;
    const key = textOf([known.name, used.map((name) => [name, values.get(name)])]);
    return key ?? String(++lastNumber);
  }

  /** One for all subscribers with the same operation: a thousand copies would take twice the CPU. */
  function compiledOf(args: ExecutionArgs): WriteResult {
    const values = args.variableValues ?? {};
    const names = declaredVariables(args).filter((name) => Object.hasOwn(values, name));
    const key = textOf([args.operationName, names.map((name) => [name, values[name]])]);
    if (key === undefined) return compileSync(args);
    const ofDocument = compiled.get(args.document) ?? new BoundedMap<string, WriteResult>(COMPILED_MAX);
    compiled.set(args.document, ofDocument);
    const known = ofDocument.get(key) ?? compileSync(args);
    if (key.length <= KEY_MAX) ofDocument.set(key, known);
    return known;
  }

  function resultsFor(args: ExecutionArgs): Results {
    const root = sharedField(args);
    if (root === undefined) return new OwnResults(args, compiledOf(args));
    return new SharedWithOthers(sharedResults, keyOf(args, root), args);
  }

  return async (args, next) => {
    const { push } = args;
    if (push === undefined) {
      const stream = await next(args);
      return isStream(stream) ? resultsOf(stream, (result) => result) : stream;
    }
    // Before the stream is opened: it would stay open if this fails.
    const results = resultsFor(args);
    const stream = await createSourceEventStream(args);
    if (!isStream(stream)) return stream;
    if (!isLiveStream(stream)) return resultsOf(stream, (event) => execute({ ...args, rootValue: event }));
    return eventIterator(new PushedResults(stream as LiveStream<object>, results, push));
  };
}

/** What a field selects, and the variables that it uses. */
interface Selection {
  readonly name: string;
  readonly variables: readonly string[];
}

/** The results of one reader's events. */
interface Results {
  of(event: object): Payload | Promise<Payload>;
  readonly shared: SharedResults<object> | undefined;
}

/** A class, like the next two: a server holds one of them for each subscription. */
class SharedWithOthers implements Results, SharedResults<object> {
  readonly key: string;
  readonly #results: ReturnType<typeof createSharedResults>;
  readonly #args: ExecutionArgs;

  constructor(results: ReturnType<typeof createSharedResults>, key: string, args: ExecutionArgs) {
    this.#results = results;
    this.key = key;
    this.#args = args;
  }

  get shared(): this {
    return this;
  }

  of(event: object): Payload | Promise<Payload> {
    return this.#results.resultOf(event, this.key, this.#args);
  }

  prepare(events: readonly object[], readers: number): Promise<unknown> | undefined {
    return this.#results.prepare(events, this.key, this.#args, readers);
  }
}

/** Undefined for a value that is nested too deeply to be written. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A client may send other variables as well, of any size. */
const declaredVariables = ({ document, operationName }: ExecutionArgs): readonly string[] =>
  getOperationAST(document, operationName)?.variableDefinitions?.map(({ variable }) => variable.name.value) ??
  [];

/** Results for one reader. If one could not be written, the later ones are executed without trying. */
class OwnResults implements Results {
  readonly shared = undefined;
  readonly #args: ExecutionArgs;
  #write: WriteResult | undefined;

  constructor(args: ExecutionArgs, compiled: WriteResult) {
    this.#args = args;
    this.#write = compiled;
  }

  of(event: object): Payload | Promise<Payload> {
    const text = this.#write?.(event, this.#args.contextValue);
    if (text !== undefined) return Buffer.from(text);
    this.#write = undefined;
    return execute({ ...this.#args, rootValue: event });
  }
}

/** Pushes the results of a stream's events. Completes after a partial one, as `resultsOf` does. */
class PushedResults implements EventSource<never> {
  readonly #stream: LiveStream<object>;
  readonly #results: Results;
  readonly #push: PushResult;

  constructor(stream: LiveStream<object>, results: Results, push: PushResult) {
    this.#stream = stream;
    this.#results = results;
    this.#push = push;
  }

  /** Not an async function: it waits as long as the subscription is open. */
  next(): Promise<IteratorResult<never>> {
    return this.#stream.pushTo((event, mayStillSend) => {
      const result = this.#results.of(event);
      if (!(result instanceof Promise)) return this.#send(result);
      return result.then((settled) => (mayStillSend(event) ? this.#send(settled) : undefined));
    }, this.#results.shared);
  }

  close(): void {
    void this.#stream.return?.();
  }

  #send(result: Payload): Promise<void> | void {
    const sent = this.#push(result);
    if (Buffer.isBuffer(result) || !isPartial(result)) return sent;
    this.close();
  }
}

const isStream = <T>(stream: AsyncIterable<T> | ExecutionResult): stream is AsyncIterable<T> =>
  Symbol.asyncIterator in stream;

/** The operation's field, if its events are shared. A field inside a fragment is not found. */
function sharedField({ schema, document, operationName }: ExecutionArgs): FieldNode | undefined {
  const root = getOperationAST(document, operationName)?.selectionSet.selections[0];
  if (root?.kind !== Kind.FIELD) return undefined;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  return field?.extensions.sharedEvents === true ? root : undefined;
}

/**
 * The variables that the selection uses, without those in the field's own arguments. Arguments (a cursor) choose the
 * events, not their content.
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
