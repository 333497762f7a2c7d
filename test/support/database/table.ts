import { defined } from '../../../src/core/defined.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type KeyRange, keys, ranges } from '../../../src/dynamo/keys.ts';
import { eventually } from '../time/eventually.ts';

/** Every item of a range, in order. */
export async function itemsIn(dynamo: Dynamo, range: KeyRange): Promise<Item[]> {
  const items: Item[] = [];
  for (let more = true; more; ) {
    const last = items.at(-1)?.sk as string | undefined;
    const page = await dynamo.query(range, { limit: 500, ...defined({ after: last }) });
    items.push(...page.items);
    more = page.more;
  }
  return items;
}

/**
 * All items of the table by key, except those that the program writes for itself (leases, the hourly timer, what is
 * converted, the shape, heartbeats, and the sentinels of a hand-over that was killed).
 */
export async function dump(dynamo: Dynamo): Promise<Map<string, Item>> {
  const items: Item[] = [];
  for await (const item of dynamo.scan({})) items.push(item);
  const own = items.filter(
    ({ pk, sk }) =>
      !/^STREAM#|^CONVERSIONS#|^SHAPE#|^SERVERS#|^SENTINEL#|^DUE#.*#expiry$/.test(`${pk}#${sk}`),
  );
  const named = own.map((item) => [`${item.pk} ${item.sk}`, item] as const);
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Waits until the consumer has given each root of the room a position; returns the roots in that order. */
export function positioned(dynamo: Dynamo, room: string): Promise<Item[]> {
  return eventually(async () => {
    const roots = await itemsIn(dynamo, ranges.roots(room));
    const counter = await dynamo.get(keys.counter(room));
    const left = roots.filter(({ position }) => position === undefined).length;
    if (left > 0 || counter?.messageCount !== roots.length) {
      throw new Error(
        `${left} of ${roots.length} roots have no position; the counter says ${counter?.messageCount}.`,
      );
    }
    return roots.sort((a, b) => Number(a.position) - Number(b.position));
  });
}
