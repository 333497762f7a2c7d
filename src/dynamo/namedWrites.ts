import type { Item } from './item.ts';
import type { Write } from './write.ts';

/** The writes of a transaction by name. A name may stand for a list; an undefined write is left out. */
export type NamedWrites = Readonly<Record<string, Write | readonly Write[] | undefined>>;

/** A condition that did not hold; `item` is what was stored instead, if anything was. */
export interface FailedCondition {
  readonly item: Item | undefined;
}

/**
 * The conditions that did not hold, by the names of their writes; a name is absent if its condition held. A list
 * of writes has a list, in the same order, with `undefined` for each condition that held.
 */
export type FailedConditions<W extends NamedWrites> = {
  readonly [Name in keyof W]?: NonNullable<W[Name]> extends readonly Write[]
    ? ReadonlyArray<FailedCondition | undefined>
    : FailedCondition;
};

/** Flattens named writes for DynamoDB, and gives the failures of that list their names back. */
export function flattenNamed<W extends NamedWrites>(writes: W) {
  const list: Write[] = [];
  const places: Array<{ readonly name: string; readonly from: number; readonly count: number | undefined }> =
    [];
  for (const [name, write] of Object.entries(writes)) {
    if (write === undefined) continue;
    const many = isList(write) ? write : undefined;
    places.push({ name, from: list.length, count: many?.length });
    list.push(...(many ?? [write as Write]));
  }

  function failuresOf(failed: ReadonlyArray<FailedCondition | undefined>): FailedConditions<W> {
    const byName: Record<string, FailedCondition | ReadonlyArray<FailedCondition | undefined>> = {};
    for (const { name, from, count } of places) {
      if (count === undefined) {
        const one = failed[from];
        if (one !== undefined) byName[name] = one;
      } else {
        const some = failed.slice(from, from + count);
        if (some.some((one) => one !== undefined)) byName[name] = some;
      }
    }
    return byName as FailedConditions<W>;
  }

  return { list, failuresOf };
}

const isList = (write: Write | readonly Write[]): write is readonly Write[] => Array.isArray(write);
