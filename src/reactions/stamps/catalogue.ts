import { isStampKey } from '../../dynamo/keys.ts';

/** A stamp that can be put on messages. */
export interface Stamp {
  /** The argument of `addStamp`: stable and lower case, or the emoji itself. */
  readonly key: string;
  /** What the picture shows, in English; the emoji itself. */
  readonly label: string;
  /** A path on this server; its content never changes. Null for an emoji, and if the stamp is no longer there. */
  readonly imageUrl: string | null;
  /** Null for a picture. */
  readonly emoji: string | null;
}

export interface Catalogue {
  /** In the order in which a picker shows them. */
  readonly stamps: readonly Stamp[];
  get(key: string): Stamp | undefined;
  /** A number below zero if the stamp `one` is shown before `other`: in the order of `stamps`, then others by key. */
  readonly compare: (one: string, other: string) => number;
}

export function createCatalogue(stamps: readonly Stamp[]): Catalogue {
  const byKey = new Map(stamps.map((stamp) => [stamp.key, stamp]));
  const places = new Map(stamps.map(({ key }, i) => [key, i]));
  const placeOf = (key: string) => places.get(key) ?? stamps.length;
  return {
    stamps,
    get: (key) => byKey.get(key),
    compare: (one, other) => placeOf(one) - placeOf(other) || compareText(one, other),
  };
}

const compareText = (one: string, other: string): number => Number(one > other) - Number(one < other);

/**
 * A stamp that is not in the catalogue: an emoji, or a stamp that was in it, which is shown by its key. Every
 * emoji that is stored is accepted, because a server with a later version of Unicode may have stored it.
 */
export const stampOutsideCatalogue = (key: string): Stamp => ({
  key,
  label: key,
  imageUrl: null,
  emoji: isStampKey(key) ? null : key,
});
