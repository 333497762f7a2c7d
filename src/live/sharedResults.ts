import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { Context } from '../graphql/context.ts';

/** What is in a context for everybody alike. Whatever else there is, or will be one day, is the viewer's. */
const COMMON: ReadonlySet<PropertyKey> = new Set<keyof Context>(['items', 'services']);
/** Different selections of one event whose results are kept, for as long as somebody holds the event. */
const SELECTIONS_MAX = 16;

interface Shared {
  /** A resolver wanted to know who asks: the result is theirs alone. */
  readonly personal: boolean;
  /** Of whom the event came to first. */
  readonly first: Promise<ExecutionResult>;
  /** Undefined where it is nobody else's: it is personal, or something went wrong. Never rejects. */
  readonly common: Promise<ExecutionResult | undefined>;
}

/**
 * Executes an event once for all readers who have the same selection, unless a resolver wants to know who asks:
 * then for each by themselves, as where something goes wrong. So no field has to say that it depends on the
 * viewer, and none can forget to.
 */
export function createSharedResults() {
  const kept = new WeakMap<object, Map<string, Shared>>();

  /** `selection`: all that the result depends on, besides the event and the viewer. */
  return async (event: object, selection: string, args: ExecutionArgs): Promise<ExecutionResult> => {
    const ofEvent = kept.get(event) ?? new Map<string, Shared>();
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

function share(event: object, args: ExecutionArgs): Shared {
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
