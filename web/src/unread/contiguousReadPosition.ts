/**
 * How far a user has read: up to the first message that was not on their screen. Marking a message as read marks all
 * messages before it, so a message that was seen further down waits until those in between were seen, too. A user who
 * jumps to the newest message has not read the messages in between.
 */
export interface ContiguousReadPosition {
  /** Everything up to this position has been read. */
  readonly position: number;
  /** Later positions that were seen out of order. */
  readonly ahead: ReadonlySet<number>;
}

/** More than anyone sees without reading on. The oldest ones are dropped, which only leaves them unread. */
const MAX_AHEAD = 2_000;

export const readUpTo = (position: number): ContiguousReadPosition => ({ position, ahead: new Set() });

export function withSeen(
  before: ContiguousReadPosition,
  positions: readonly number[],
): ContiguousReadPosition {
  const ahead = new Set(before.ahead);
  for (const position of positions) if (position > before.position) ahead.add(position);
  const { position } = joined(before.position, ahead);
  for (const seen of ahead) {
    if (ahead.size <= MAX_AHEAD) break;
    ahead.delete(seen);
  }
  return { position, ahead };
}

/** Marks everything up to this position as read, whether it was on the screen or not. */
export function withReadTo(before: ContiguousReadPosition, position: number): ContiguousReadPosition {
  if (position <= before.position) return before;
  return joined(position, new Set([...before.ahead].filter((seen) => seen > position)));
}

/** Moves the position over those that were seen directly after it, and takes them out of `ahead`. */
function joined(from: number, ahead: Set<number>): ContiguousReadPosition {
  let position = from;
  while (ahead.delete(position + 1)) position++;
  return { position, ahead };
}
