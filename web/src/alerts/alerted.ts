/** What the pages of this browser have alerted a user to. */
export interface Alerted {
  /** The newest change of the bell that was looked at: its `updatedAt`. Empty: none yet. */
  readonly at: string;
  /** By direct room: the position of the newest message that was looked at. */
  readonly direct: Readonly<Record<string, number>>;
}

/** The most direct rooms that are remembered. Those that were not in use for longest are forgotten first. */
const ROOMS_MAX = 50;

const placeOf = (viewerId: string) => `tsudoi:alerted:${viewerId}`;

export function readAlerted(viewerId: string): Alerted {
  try {
    const { at, direct } = (JSON.parse(localStorage.getItem(placeOf(viewerId)) ?? '{}') ??
      {}) as Partial<Alerted>;
    return { at: typeof at === 'string' ? at : '', direct: { ...direct } };
  } catch {
    return { at: '', direct: {} };
  }
}

export function keepAlerted(viewerId: string, { at, direct }: Alerted): void {
  const newest = Object.fromEntries(Object.entries(direct).slice(-ROOMS_MAX));
  localStorage.setItem(placeOf(viewerId), JSON.stringify({ at, direct: newest }));
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
