import { createHash } from 'node:crypto';
import type { Item } from '../dynamo/item.ts';
import { type Key, parseKey } from '../dynamo/keys.ts';
import type { Audit, Counts, Saying } from './audit.ts';

/** A part of all keys: those whose hash leaves `rest` when divided by `of`. */
export interface Part {
  readonly rest: number;
  /** A power of two. */
  readonly of: number;
}

export const ALL: Part = { rest: 0, of: 1 };

const isIn = ({ rest, of }: Part, key: Key): boolean =>
  createHash('sha1').update(nameOf(key)).digest().readUInt32BE(0) % of === rest;

const halves = ({ rest, of }: Part): readonly [Part, Part] => [
  { rest, of: 2 * of },
  { rest: rest + of, of: 2 * of },
];

/** A key as one text, for maps and sets. */
export const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

export const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

/** One kind of numbers of one item: what it said, and what was counted. */
export interface Account {
  readonly key: Key;
  readonly audit: Audit;
  readonly said: Saying;
  readonly counted: Counts;
}

export interface LedgerOptions {
  readonly audits: readonly Audit[];
  readonly part: Part;
  /** How many accounts at most. */
  readonly most: number;
}

/**
 * What items say, and what is counted of them, in memory. With more than `most` it keeps to half of its part,
 * and leaves the other half, in `left`, to another ledger.
 */
export function createLedger({ audits, part, most }: LedgerOptions) {
  const accounts = audits.map(
    () => new Map<string, Account & { readonly counted: Record<string, number> }>(),
  );
  const left: Part[] = [];
  let mine = part;
  let size = 0;

  function halve(): void {
    const [here, there] = halves(mine);
    left.push(there);
    mine = here;
    size = 0;
    for (const ofAudit of accounts) {
      for (const [name, { key }] of ofAudit) if (!isIn(mine, key)) ofAudit.delete(name);
      size += ofAudit.size;
    }
  }

  return {
    left,

    /** Notes what an item says, if it is in this part. */
    hear(item: Item): void {
      const key = keyOf(item);
      if (!isIn(mine, key)) return;
      const parsed = parseKey(key);
      audits.forEach((audit, i) => {
        const said = audit.says(parsed, item);
        if (said === undefined) return;
        const counted = Object.fromEntries(Object.keys(said.counts).map((name) => [name, 0]));
        accounts[i]?.set(nameOf(key), { key, audit, said, counted });
        size++;
      });
      while (size > most) halve();
    },

    /** Counts an item wherever it is to be counted. */
    count(item: Item): void {
      const parsed = parseKey(keyOf(item));
      audits.forEach((audit, i) => {
        for (const { in: key, name, by = 1, atLeast } of audit.votes(parsed, item)) {
          const counted = accounts[i]?.get(nameOf(key))?.counted;
          if (counted === undefined) continue;
          const before = counted[name] ?? 0;
          counted[name] = atLeast === undefined ? before + by : Math.max(before, atLeast);
        }
      });
    },

    /** Those where the two are not the same. */
    wrong(): Account[] {
      return accounts.flatMap((ofAudit) =>
        [...ofAudit.values()].filter(({ said, counted }) => !isSame(said, counted)),
      );
    },
  };
}

function isSame({ counts, onlyThese }: Saying, counted: Counts): boolean {
  const names = [...Object.keys(counts), ...(onlyThese === true ? [] : Object.keys(counted))];
  return names.every((name) => (counts[name] ?? 0) === (counted[name] ?? 0));
}
