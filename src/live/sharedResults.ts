import { randomUUID } from 'node:crypto';
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { Payload } from '../core/subscribe.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import type { ViewerHole } from '../graphql/viewerLeaves.ts';
import { BoundedMap } from './boundedMap.ts';

/** The same in all contexts. All other properties, also future ones, belong to the viewer, except `items`. */
const COMMON: keyof Context = 'services';
/** How many selections of one event have their results kept, while the event is referenced. */
const SELECTIONS_MAX = 16;
/** How many texts of one result are kept: one for each combination of the viewers' fields. */
const TEXTS_MAX = 64;

/** How many of the following events of a batch are executed ahead. */
const AHEAD_MAX = 20;
/** How many selections and types of events are remembered for which nothing is executed ahead. */
const PAUSES_MAX = 256;
/** After a failure nothing is executed ahead for this many events: the next one probably fails, too. */
const FAILED_PAUSE = 20;

/**
 * `batch`: the events that were read together, in order. If they are executed together, one write sends all results.
 */
export type SharedEvent = object & {
  readonly batch?: readonly SharedEvent[];
  /** Its GraphQL type, if the field has several. */
  readonly type?: string;
};

interface SharedResult {
  /** Undefined until it is known. Null if the result is personal: it differs between viewers. */
  template: Template | null | undefined;
  /** A resolver has asked who the viewer is. */
  isPersonal: boolean;
  /** Readers that wait for it, the first one included. */
  readers: number;
  /** Resolves to the template when it is known. Never rejects. */
  readonly ready: Promise<Template | null>;
  readonly first: Promise<Payload>;
}

/**
 * Executes an event once for all readers with the same selection, and makes its text once. If a resolver asks who the
 * viewer is, or something fails, it is executed for each reader. So a field that depends on the viewer is correct
 * without any declaration. A field that declares it (`viewerLeaf`) is left out of the shared text, and filled in for
 * each reader.
 */
export function createSharedResults() {
  const kept = new WeakMap<object, Map<string, SharedResult>>();
  /**
   * For how many events nothing is executed ahead. Without an end if the results are personal. By type as well: the
   * same selection may be personal for those who join, and not for messages.
   */
  const pauses = new BoundedMap<string, number>(PAUSES_MAX);
  const kindOf = ({ type = '' }: SharedEvent, selection: string) => `${type} ${selection}`;
  const isPaused = (event: SharedEvent, selection: string) => (pauses.get(kindOf(event, selection)) ?? 0) > 0;

  /** Undefined if the event already has SELECTIONS_MAX results. */
  function begin(
    event: SharedEvent,
    selection: string,
    args: ExecutionArgs,
    readers = 1,
  ): SharedResult | undefined {
    const ofEvent = kept.get(event) ?? new Map<string, SharedResult>();
    const known = ofEvent.get(selection);
    if (known !== undefined) known.readers = Math.max(known.readers, readers);
    if (known !== undefined || ofEvent.size >= SELECTIONS_MAX) return known;
    const shared = share(event, args, readers);
    ofEvent.set(selection, shared);
    kept.set(event, ofEvent);
    const kind = kindOf(event, selection);
    const left = pauses.get(kind) ?? 0;
    if (left > 0) pauses.set(kind, left - 1);
    void shared.ready.then((template) => {
      if (template === null) pauses.set(kind, shared.isPersonal ? Number.POSITIVE_INFINITY : FAILED_PAUSE);
    });
    return shared;
  }

  /** The last one that was found: a thousand readers ask for the same one, one after the other. */
  let last: { readonly event: object; readonly selection: string; readonly shared: SharedResult } | undefined;

  function find(event: object, selection: string): SharedResult | undefined {
    if (last?.event === event && last.selection === selection) return last.shared;
    const shared = kept.get(event)?.get(selection);
    if (shared !== undefined) last = { event, selection, shared };
    return shared;
  }

  /** `selection`: everything that the result depends on, apart from the event and the viewer. */
  function resultOf(event: SharedEvent, selection: string, args: ExecutionArgs): Payload | Promise<Payload> {
    const known = find(event, selection);
    if (known === undefined) {
      // Probably the readers of the first event of the batch get this one, too.
      const first = event.batch?.[0];
      const readers = first === undefined ? 1 : find(first, selection)?.readers;
      const shared = begin(event, selection, args, readers);
      for (const next of following(event)) {
        if (!isPaused(next, selection)) begin(next, selection, args, readers);
      }
      return shared?.first ?? alone(event, args);
    }
    // A result that was executed ahead and is personal is executed again, because it may be out of date.
    if (known.template !== undefined) return payloadOf(known.template, event, args);
    known.readers++;
    return known.ready.then((ready) => payloadOf(ready, event, args));
  }

  return {
    resultOf,
    /** Executes these events for this many readers, with the `args` of one of them. See `SharedResults`. */
    prepare(events: readonly SharedEvent[], selection: string, args: ExecutionArgs, readers: number) {
      const wanted = events.slice(0, AHEAD_MAX).filter((event) => !isPaused(event, selection));
      if (wanted.length === 0) return undefined;
      return Promise.all(wanted.map((event) => begin(event, selection, args, readers)?.ready));
    },
  };
}

function following(event: SharedEvent): readonly SharedEvent[] {
  const next = (event.batch?.indexOf(event) ?? -1) + 1;
  return next === 0 ? [] : (event.batch?.slice(next, next + AHEAD_MAX) ?? []);
}

const alone = (event: object, args: ExecutionArgs) => execute({ ...args, rootValue: event });

function payloadOf(template: Template | null, event: object, args: ExecutionArgs) {
  if (template === null) return alone(event, args);
  const text = template.textFor(args.contextValue as Context);
  // If a value cannot be read, the event is executed normally, which reports the error at its field.
  return text instanceof Promise ? text.catch(() => alone(event, args)) : text;
}

function share(event: object, args: ExecutionArgs, readers: number): SharedResult {
  const holes: ViewerHole[] = [];
  // Its own, because this reader's other events may read older items meanwhile.
  let items: ItemLoader | undefined;
  const contextValue = new Proxy(args.contextValue as Context, {
    get(context, name) {
      if (name === 'viewerHoles') return holes;
      if (name === 'items') {
        items ??= context.items.fork();
        return items;
      }
      if (name !== COMMON) {
        shared.isPersonal = true;
        // The others need not wait for this reader's result.
        settle(null);
      }
      return Reflect.get(context, name);
    },
  });
  let resolve = (_template: Template | null) => {};
  const ready = new Promise<Template | null>((resolved) => {
    resolve = resolved;
  });

  function settle(template: Template | null): void {
    if (shared.template === undefined) shared.template = template;
    resolve(template);
  }

  async function templateOf(result: ExecutionResult): Promise<Template | null> {
    if (result.errors !== undefined || shared.template === null) return null;
    return createTemplate({ result, holes, readers: shared.readers }).catch(() => null);
  }

  async function executeFirst(): Promise<Payload> {
    try {
      const result = await execute({ ...args, rootValue: event, contextValue });
      const template = await templateOf(result);
      settle(template);
      return template === null && holes.length === 0 ? result : await payloadOf(template, event, args);
    } catch (error) {
      settle(null);
      throw error;
    }
  }

  // In a later microtask, so that `shared` exists when a resolver reads the context.
  const first = Promise.resolve().then(executeFirst);
  // Its subscriber may have closed before the event was due.
  first.catch(() => {});
  const shared: SharedResult = { template: undefined, isPersonal: false, readers, ready, first };
  return shared;
}

/** The text of a result, with a hole for each of the viewer's leaves. */
interface Template {
  textFor(context: Context): Buffer | Promise<Buffer>;
}

interface Executed {
  readonly result: ExecutionResult;
  readonly holes: readonly ViewerHole[];
  /** How many wait for it. */
  readonly readers: number;
}

/** Null if a hole is not at the place of its field, so the field changed the placeholder. */
async function createTemplate({ result: { data }, holes, readers }: Executed): Promise<Template | null> {
  if (holes.length === 0) {
    const text = Buffer.from(JSON.stringify({ data }));
    return { textFor: () => text };
  }
  // Made after the result, so the result cannot contain it.
  const mark = randomUUID();
  for (const [i, hole] of holes.entries()) {
    if (!replace(data, hole, `${mark}${i};`)) return null;
  }
  const [before = '', ...after] = JSON.stringify({ data }).split(`"${mark}`);
  const parts = after.map((part) => {
    const end = part.indexOf(';');
    return { hole: Number(part.slice(0, end)), text: part.slice(end + 2) };
  });
  const holders = await Promise.all(holes.map(({ leaf }) => leaf.holders(readers)));
  const texts = new Map<string, Buffer>();

  /** `bits`: a digit for each hole, 1 if it is true. */
  function textOf(bits: string): Buffer {
    const known = texts.get(bits);
    if (known !== undefined) return known;
    const filled = parts.map(
      ({ hole, text }) => `${holes[hole]?.json[bits[hole] === '1' ? 'yes' : 'no']}${text}`,
    );
    const made = Buffer.from(before + filled.join(''));
    if (texts.size < TEXTS_MAX) texts.set(bits, made);
    return made;
  }

  async function readFor(viewer: string): Promise<Buffer> {
    const bits = await Promise.all(
      holes.map(async ({ leaf }, i) => ((await (holders[i]?.has(viewer) ?? leaf.has(viewer))) ? '1' : '0')),
    );
    return textOf(bits.join(''));
  }

  const known = holders.every((users) => users !== undefined);
  return {
    textFor(context) {
      const viewer = requireViewer(context);
      if (!known) return readFor(viewer);
      let bits = '';
      for (const users of holders) bits += users?.has(viewer) === true ? '1' : '0';
      return textOf(bits);
    },
  };
}

/** Replaces the placeholder at this path. False if there is none. */
function replace(data: unknown, { path, placeholder }: ViewerHole, value: string): boolean {
  const parent = path.prev === undefined ? data : valueAt(data, path.prev);
  if (typeof parent !== 'object' || parent === null) return false;
  if (Reflect.get(parent, path.key) !== placeholder) return false;
  return Reflect.set(parent, path.key, value);
}

function valueAt(data: unknown, { prev, key }: ViewerHole['path']): unknown {
  const parent = prev === undefined ? data : valueAt(data, prev);
  return typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined;
}
