/** Texts of objects that many results have, such as messages in the pages of a busy room. */
import type { GraphQLObjectType } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Item } from '../dynamo/item.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import type { Key } from '../dynamo/keys.ts';
import type { Context, Services } from './context.ts';
import { type Part, type Run, textOf, type Write, writeParts } from './textOutput.ts';

/** `extensions.keptText` of an object type: its fields may be written once for several results, and for all viewers. */
export interface KeptText<Value> {
  /**
   * The stored item that the value was made from, and nothing else. It is the same object as long as nothing in it has
   * changed. Undefined: the value is not kept.
   */
  readonly itemOf: (value: Value) => Item | undefined;
  /** The services whose results never change while the process runs. */
  readonly constants: ReadonlyArray<keyof Services>;
}

/** Characters of all texts together: at most 16 MiB of memory. */
const TOTAL_MAX = 8 * 1_024 * 1_024;
/**
 * A kept text keeps its item in memory, also after `transport/knownItems.ts` has dropped it: at most 4 KiB of JSON
 * each, so 32 MiB, which takes two to three times as much as objects. Short texts would keep many more items without
 * this.
 */
const OBJECTS_MAX = 8_192;
/** Characters of all texts of one object. */
const OBJECT_MAX = 16 * 1_024;
/** How many texts of one object are kept: one for each selection. */
const SELECTIONS_MAX = 4;

interface KeptParts {
  /** The number of the writer. */
  readonly selection: number;
  /** The text, and the fields that are written for each result. */
  readonly parts: readonly Part[];
  readonly size: number;
  /** The profiles that the text contains. */
  readonly used: readonly Use[];
}

interface Use {
  readonly key: Key;
  readonly item: Item;
}

const kept = new LRUCache<Item, readonly KeptParts[]>({
  max: OBJECTS_MAX,
  maxSize: TOTAL_MAX,
  maxEntrySize: OBJECT_MAX,
  sizeCalculation: (all) => all.reduce((sum, { size }) => sum + size, 1),
});
let lastSelection = 0;

/** What is kept. A character takes one or two bytes. */
export const keptTextSize = () => ({ entries: kept.size, bytes: kept.calculatedSize });

/** How many texts were written to be kept, and how many were used again, since the process began. */
export const keptTextCounts = { written: 0, used: 0 };

/** Why a field cannot be kept. One for all, because a stack trace would cost more than the field. */
const DIFFERS = new Error('The field is written for each result.');

/**
 * Writes objects of this type, and keeps the text of their fields. A field is not kept if its resolver asks for
 * anything but the object itself, kept profiles and constant services: who the viewer is, another item, or something
 * that it has to wait for. It is written for each result then. So a field that depends on the viewer is correct without
 * any declaration. A text is used as long as the object's item and all profiles in it are still the same objects.
 * Undefined for types without `KeptText`.
 */
export function keepingWriter(type: GraphQLObjectType, parts: readonly Part[]): Write | undefined {
  const declared = type.extensions.keptText as KeptText<unknown> | undefined;
  if (declared === undefined) return undefined;
  const { itemOf, constants } = declared;
  const selection = ++lastSelection;

  return (value, output) => {
    const { run } = output;
    const item = run.isRecording === true ? undefined : itemOf(value);
    if (item === undefined) return writeParts(parts, value, output);
    const context = run.context as Context;
    const all = kept.get(item) ?? [];
    const known = all.find((one) => one.selection === selection);
    if (known !== undefined && isCurrent(known, context.items)) {
      keptTextCounts.used++;
      return writeParts(known.parts, value, output);
    }
    keptTextCounts.written++;
    const { recorded, isComplete } = record(parts, { value, run, context, constants, selection });
    if (isComplete) {
      const others = all.filter((one) => one.selection !== selection).slice(1 - SELECTIONS_MAX);
      kept.set(item, [...others, recorded]);
    }
    writeParts(recorded.parts, value, output);
  };
}

function isCurrent({ used }: KeptParts, items: ItemLoader): boolean {
  for (const { key, item } of used) if (items.kept(key) !== item) return false;
  return true;
}

interface Recording extends Pick<KeptText<unknown>, 'constants'> {
  readonly value: unknown;
  readonly run: Run;
  readonly context: Context;
  readonly selection: number;
}

/** Writes each field that can be kept. `isComplete`: no field was left out only because a profile is not there yet. */
function record(parts: readonly Part[], { value, run, context, constants, selection }: Recording) {
  const used: Use[] = [];
  const made: Part[] = [];
  let text = '';
  let isComplete = true;
  for (const part of parts) {
    text += part.text;
    if (part.write === undefined) continue;
    const ofField: Use[] = [];
    const recorder = recordingContext(context, {
      constants,
      used: ofField,
      onMissing: () => {
        isComplete = false;
      },
    });
    const written =
      part.varies === true ? undefined : keptTextOf(part.write, value, { ...run, context: recorder });
    if (written === undefined) {
      made.push({ text, write: part.write });
      text = '';
    } else {
      used.push(...ofField);
      text += written;
    }
  }
  made.push({ text });
  const size = made.reduce((sum, { text: { length } }) => sum + length, 0);
  const recorded: KeptParts = { selection, parts: made, size, used };
  return { recorded, isComplete };
}

/** Undefined if it cannot be kept. */
function keptTextOf(write: Write, value: unknown, run: Run): string | undefined {
  try {
    const text = textOf(write, value, { ...run, isRecording: true });
    if (typeof text === 'string') return text;
    text.catch(() => {});
  } catch {
    // What a resolver throws is thrown again when the field is written for the result.
  }
  return undefined;
}

interface RecordingOptions extends Pick<KeptText<unknown>, 'constants'> {
  readonly used: Use[];
  readonly onMissing: () => void;
}

/** Has what may be kept, and throws for everything else, also for what contexts will have in the future. */
function recordingContext(context: Context, { constants, used, onMissing }: RecordingOptions): Context {
  const differs = () => {
    throw DIFFERS;
  };
  function keptItem(key: Key): Item {
    const item = context.items.kept(key);
    if (item === undefined) {
      onMissing();
      throw DIFFERS;
    }
    used.push({ key, item });
    return item;
  }
  const items: ItemLoader = {
    load: differs,
    loadMany: differs,
    readAgain: differs,
    clear: differs,
    loadKept: keptItem,
    kept: keptItem,
    fork: differs,
  };
  const allowed: ReadonlySet<PropertyKey> = new Set(constants);
  const services = new Proxy(context.services, {
    get: (all, name) => (allowed.has(name) ? Reflect.get(all, name) : differs()),
  });
  return new Proxy(context, {
    get(_context, name) {
      if (name === 'items') return items;
      return name === 'services' ? services : differs();
    },
  });
}
