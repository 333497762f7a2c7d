import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  getOperationAST,
  Kind,
  visit,
} from 'graphql';
import { createSharedResults } from './sharedResults.ts';
import { subscriptionEvents } from './subscriptionEvents.ts';

export type Subscribed = AsyncIterable<ExecutionResult> | ExecutionResult;
export type Subscribe = (args: ExecutionArgs) => Subscribed | Promise<Subscribed>;
/** GraphQL's `subscribe`, or what it is `otherwise`. */
export type SubscribeMiddleware = (args: ExecutionArgs, otherwise: Subscribe) => ReturnType<Subscribe>;

/**
 * GraphQL's `subscribe` where a field's events are the same objects for many readers, and its `resolve` does not
 * look at its arguments, which it says by `extensions: { sharedEvents: true }`; `otherwise` for all other fields.
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

  async function subscribe(args: ExecutionArgs, root: FieldNode): Promise<Subscribed> {
    const stream = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in stream)) return stream;
    const events = stream[Symbol.asyncIterator]();
    const selection = selectionOf(args, root);
    const close = () => void events.return?.();
    return subscriptionEvents<ExecutionResult>({
      close,
      async next() {
        const { done, value } = await events.next();
        if (done === true) return { done, value: undefined };
        return { done: false, value: await resultOf(value as object, selection, args) };
      },
    });
  }

  return (args, otherwise) => {
    const root = sharedField(args);
    return root === undefined ? otherwise(args) : subscribe(args, root);
  };
}

/** The operation's field, where its events are shared. Inside a fragment it is not looked for. */
function sharedField({ schema, document, operationName }: ExecutionArgs): FieldNode | undefined {
  const root = getOperationAST(document, operationName)?.selectionSet.selections[0];
  if (root?.kind !== Kind.FIELD) return undefined;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  return field?.extensions.sharedEvents === true ? root : undefined;
}

/**
 * The variables that stand anywhere but in the field's own arguments: those have said which events it is about, and
 * a reader's cursor makes no other selection.
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
