/**
 * How far a user has read: up to the first message that was not on their screen. Marking a message as read marks all
 * messages before it, so a message that was seen further down waits until those in between were seen, too. A user who
 * jumps to the newest message has not read the messages in between.
 */
export interface ContiguousReadPosition {
  /** Everything up to this position has been read. */
  readonly position: number;
  /** The root at this position, if it was seen. */
  readonly id: string | undefined;
  /** The roots at later positions that were seen out of order, by position. */
  readonly ahead: ReadonlyMap<number, string>;
}

/** A root that was seen. */
export interface Seen {
  readonly position: number;
  readonly id: string;
}

/** More than anyone sees without reading on. The oldest ones are dropped, which only leaves them unread. */
export const MAX_AHEAD = 2_000;

export const readUpTo = (position: number): ContiguousReadPosition => ({
  position,
  id: undefined,
  ahead: new Map(),
});

export function withSeen(before: ContiguousReadPosition, roots: readonly Seen[]): ContiguousReadPosition {
  const ahead = new Map(before.ahead);
  for (const { position, id } of roots) if (position > before.position) ahead.set(position, id);
  const { position, id } = joined(before, ahead);
  for (const oldest of ahead.keys()) {
    if (ahead.size <= MAX_AHEAD) break;
    ahead.delete(oldest);
  }
  return { position, id, ahead };
}

/** Marks everything up to this position as read, whether it was on the screen or not. */
export function withReadTo(before: ContiguousReadPosition, position: number): ContiguousReadPosition {
  if (position <= before.position) return before;
  const ahead = new Map([...before.ahead].filter(([seen]) => seen > position));
  return joined({ position, id: before.ahead.get(position) }, ahead);
}

/** Moves the position over those that were seen directly after it, and takes them out of `ahead`. */
function joined(
  from: Omit<ContiguousReadPosition, 'ahead'>,
  ahead: Map<number, string>,
): ContiguousReadPosition {
  let { position, id } = from;
  for (let next = ahead.get(position + 1); next !== undefined; next = ahead.get(position + 1)) {
    ahead.delete(++position);
    id = next;
  }
  return { position, id, ahead };
}
