import { isDeepStrictEqual } from 'node:util';
import { type BulkWriteOptions, bulkWrite } from '../../dynamo/bulkWrite.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyName } from '../../dynamo/keys.ts';
import type { Check } from '../../dynamo/write.ts';
import { alive, isCarried, type Sides } from './sides.ts';

export interface CarrierOptions {
  readonly sides: Sides;
  readonly by: BulkWriteOptions['by'];
  /** Part of each write, which is a transaction then. Absent: `by` decides, and a late write has an effect. */
  readonly fence?: Check | undefined;
  /** The error of a run whose turn is over. */
  readonly fenced?: () => Error;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves when so much may be written. Rejects if this run may not write any more. */
  readonly mayWrite: (units: number) => Promise<void>;
  /** Called with how many items were put or deleted. */
  readonly onWritten?: (items: number) => void;
}

const DELETED_AT_ONCE = 50;

/** What is known of the items: as the source or the target was read just now. */
type Known = { readonly [Side in keyof Sides]?: ReadonlyArray<Item | undefined> };

export type Carrier = ReturnType<typeof createCarrier>;

/**
 * Makes items of the target equal to those of the source. What is carried is a key, and never a change:
 *
 *   read the source ── put or delete in the target ── read the source again ── as it was written? ── done
 *                          ▲                                                         │ no
 *                          └─────────────────────────────────────────────────────────┘
 *
 * So any number of these may run side by side, in any order, again, and with late ones: the last one that writes reads
 * the source after that. What changes later has a record in the source's stream, and is carried again.
 */
export function createCarrier(options: CarrierOptions) {
  const { sides, by, now, mayWrite, onWritten, fence, fenced } = options;
  const { source, target } = sides;

  /**
   * Resolves when the target has had these items as the source had them at a moment after the call. At most a few
   * hundred.
   */
  async function carry(wanted: readonly Key[], known: Known = {}): Promise<void> {
    const places = new Map(wanted.map((key, i) => [keyName(key), i]));
    let keys = [...places.values()].map((i) => wanted[i] as Key).filter(isCarried);
    if (keys.length === 0) return;
    const read = (side: keyof Sides) => {
      const items = known[side];
      return items === undefined
        ? sides[side].dynamo.batchGet(keys)
        : keys.map((key) => items[places.get(keyName(key)) ?? 0]);
    };
    let [wasIn, isIn] = await Promise.all([read('source'), read('target')]);
    for (;;) {
      const at = now();
      const different = keys.flatMap((key, i) => {
        const [item, written] = [alive(wasIn[i], at), alive(isIn[i], at)];
        return isDeepStrictEqual(item, written) ? [] : [{ key, item, written }];
      });
      if (different.length === 0) return;
      await mayWrite(different.reduce((units, { item, written }) => units + unitsOf(item ?? written), 0));
      await write(different);
      keys = different.map(({ key }) => key);
      isIn = different.map(({ item }) => item);
      wasIn = await source.dynamo.batchGet(keys);
    }
  }

  async function write(
    items: ReadonlyArray<{ readonly key: Key; readonly item: Item | undefined }>,
  ): Promise<void> {
    const puts = items.flatMap(({ key, item }) => (item === undefined ? [] : [{ ...item, ...key }]));
    const gone = items.flatMap(({ key, item }) => (item === undefined ? [key] : []));
    if (fence === undefined) {
      await Promise.all([
        bulkWrite({ dynamo: target.dynamo, items: puts, by }),
        ...gone.map((key) => target.dynamo.remove(key)),
      ]);
    } else await writeFenced(puts, gone, fence);
    onWritten?.(items.length);
  }

  /** One after the other: transactions that check the same item would be in each other's way. */
  async function writeFenced(
    puts: ReadonlyArray<Key & Item>,
    gone: readonly Key[],
    guard: Check,
  ): Promise<void> {
    const { dynamo } = target;
    try {
      await bulkWrite({ dynamo, items: puts, by: 'transactions', guard });
      for (let i = 0; i < gone.length; i += DELETED_AT_ONCE) {
        const some = gone.slice(i, i + DELETED_AT_ONCE);
        await dynamo.transact([...some.map((key) => ({ delete: key })), guard]);
      }
    } catch (error) {
      throw error instanceof ConditionsFailed ? (fenced?.() ?? error) : error;
    }
  }

  return { carry };
}

/** About: a unit for each kilobyte, and one for the index. */
const unitsOf = (item: Item | undefined): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(item ?? {})) / 1_024) + (item?.gsi1pk === undefined ? 0 : 1);
