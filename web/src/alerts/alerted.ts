import { keep } from '../state/keep.ts';

/** What the pages of this browser have alerted a user to. */
export interface Alerted {
  /** The newest change of the bell that was looked at: its `updatedAt`. Empty: none yet. */
  readonly at: string;
  /** By direct room: the position of the newest message that was looked at. */
  readonly direct: Readonly<Record<string, number>>;
}

/** The most direct rooms that are remembered. Those that were not in use for longest are forgotten first. */
const ROOMS_MAX = 50;

export interface AlertedStore {
  read(): Alerted;
  keep(alerted: Alerted): void;
}

/** All pages of this browser share it. While the storage is full, each page remembers it for itself. */
export function createAlerted(
  viewerId: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
): AlertedStore {
  const place = `tsudoi:alerted:${viewerId}`;
  let unstored: Alerted | undefined;
  return {
    read() {
      const stored = restored(storage.getItem(place));
      if (unstored === undefined) return stored;
      const at = unstored.at > stored.at ? unstored.at : stored.at;
      return withDirect({ ...stored, at }, new Map(Object.entries(unstored.direct)));
    },
    keep({ at, direct }) {
      const alerted = { at, direct: Object.fromEntries(Object.entries(direct).slice(-ROOMS_MAX)) };
      unstored = keep(storage, place, JSON.stringify(alerted)) ? undefined : alerted;
    },
  };
}

function restored(text: string | null): Alerted {
  try {
    const { at, direct } = (JSON.parse(text ?? '{}') ?? {}) as Partial<Alerted>;
    return { at: typeof at === 'string' ? at : '', direct: { ...direct } };
  } catch {
    return { at: '', direct: {} };
  }
}

/** The rooms of `positions` become the last in the order. */
export const withDirect = (alerted: Alerted, positions: ReadonlyMap<string, number>): Alerted => {
  const direct = new Map(Object.entries(alerted.direct));
  for (const [room, position] of positions) {
    const before = direct.get(room) ?? 0;
    direct.delete(room);
    direct.set(room, Math.max(before, position));
  }
  return { ...alerted, direct: Object.fromEntries(direct) };
};
