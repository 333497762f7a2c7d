/** A stamp that can be put on messages. */
export interface Stamp {
  /** Stable, lower case; what `addStamp` takes. */
  readonly key: string;
  /** What it shows, in English. */
  readonly label: string;
  /** A path on this server; its content never changes. */
  readonly imageUrl: string;
}

export interface Catalogue {
  /** In the order in which a picker shows them. */
  readonly stamps: readonly Stamp[];
  get(key: string): Stamp | undefined;
}

export function createCatalogue(stamps: readonly Stamp[]): Catalogue {
  const byKey = new Map(stamps.map((stamp) => [stamp.key, stamp]));
  return { stamps, get: (key) => byKey.get(key) };
}

/** A stamp that is on messages but no longer in the catalogue: its label is all there is to see. */
export const missingStamp = (key: string): Stamp => ({ key, label: key, imageUrl: '' });
