/** A stamp that can be put on messages. */
export interface Stamp {
  /** Stable and lower case: the argument of `addStamp`. */
  readonly key: string;
  /** What the picture shows, in English. */
  readonly label: string;
  /** A path on this server; its content never changes. */
  readonly imageUrl: string;
}

export interface Catalogue {
  /** In the order in which a picker shows them. */
  readonly stamps: readonly Stamp[];
  get(key: string): Stamp | undefined;
  /** The place among `stamps`; after all of them for a stamp that is no longer there. */
  readonly positionOf: (key: string) => number;
}

export function createCatalogue(stamps: readonly Stamp[]): Catalogue {
  const byKey = new Map(stamps.map((stamp) => [stamp.key, stamp]));
  const places = new Map(stamps.map(({ key }, i) => [key, i]));
  return {
    stamps,
    get: (key) => byKey.get(key),
    positionOf: (key) => places.get(key) ?? stamps.length,
  };
}

/** A stamp that is on messages but no longer in the catalogue: only its key can be shown. */
export const missingStamp = (key: string): Stamp => ({ key, label: key, imageUrl: '' });
