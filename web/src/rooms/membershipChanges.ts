import type { OwnMembershipFragment, RoomPartsFragment } from '../generated/graphql.ts';

/** A change by another user or by the waitlist: the viewer joined a room, or is no longer a member. */
export interface MembershipChange {
  /** `gotSeat`: the viewer was on the waitlist. `added`: another user added the viewer. */
  readonly kind: 'gotSeat' | 'added' | 'ended';
  readonly room: Readonly<RoomPartsFragment>;
}

/** Compares the viewer's rooms with what they were before, and reports the changes that the viewer did not make. */
export interface MembershipChanges {
  /** Calls the listener with each change, until the returned function is called. */
  onChange(listener: (change: MembershipChange) => void): () => void;
  /** The name of a room that the viewer lost through another user. Undefined once the viewer is a member again. */
  formerName(roomId: string): string | undefined;
  /** Whether the viewer waits for a seat, so that joining is reported as `gotSeat`. */
  setWaiting(room: NamedRoom, isWaiting: boolean): void;
  /** Whether the viewer still had the place in a room that they wait for when it was read: then it may become a seat. */
  setPlace(roomId: string, hasPlace: boolean): void;
  /** The name of a room that the viewer was on the waitlist of when it was last read. */
  awaitedName(roomId: string): string | undefined;
  /** To be called when the list has been read. */
  compare(): void;
  /** Does not report what `action` does to the room that it resolves with. Other changes are reported afterwards. */
  ignoringOwn<T>(action: () => Promise<T>, roomOf: (answer: T) => string): Promise<T>;
}

export type NamedRoom = Readonly<Pick<RoomPartsFragment, 'id' | 'name'>>;

type Listed = ReadonlyMap<string, Readonly<RoomPartsFragment>>;

/** `listed`: the rooms as of the last reading. Undefined until they are known. */
export function createMembershipChanges(
  listed: () => ReadonlyArray<Readonly<OwnMembershipFragment>> | undefined,
): MembershipChanges {
  const listeners = new Set<(change: MembershipChange) => void>();
  const waiting = new Map<string, { readonly name: string; readonly hasPlace: boolean }>();
  const lost = new Map<string, string>();
  let reported: Listed | undefined;
  let ownActions = 0;

  const now = (): Listed => new Map((listed() ?? []).map(({ room }) => [room.id, room]));

  function compare(): void {
    if (ownActions > 0) return;
    const before = reported;
    reported = now();
    if (before === undefined) return;
    for (const [id, room] of reported) {
      lost.delete(id);
      if (before.has(id)) continue;
      const kind = waiting.get(id)?.hasPlace === true ? 'gotSeat' : 'added';
      waiting.delete(id);
      emit({ kind, room });
    }
    for (const [id, room] of before) {
      if (reported.has(id)) continue;
      lost.set(id, room.name);
      emit({ kind: 'ended', room });
    }
  }

  function emit(change: MembershipChange): void {
    for (const listener of [...listeners]) listener(change);
  }

  return {
    compare,
    formerName: (id) => lost.get(id),
    awaitedName: (id) => waiting.get(id)?.name,
    setWaiting({ id, name }, isWaiting) {
      if (isWaiting) waiting.set(id, { name, hasPlace: true });
      else waiting.delete(id);
    },
    setPlace(id, hasPlace) {
      const awaited = waiting.get(id);
      if (awaited !== undefined) waiting.set(id, { ...awaited, hasPlace });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ignoringOwn(action, roomOf) {
      ownActions++;
      try {
        const answer = await action();
        const id = roomOf(answer);
        const room = now().get(id);
        const others = [...(reported ?? now())].filter(([other]) => other !== id);
        reported = new Map(room === undefined ? others : [...others, [id, room]]);
        return answer;
      } finally {
        ownActions--;
        compare();
      }
    },
  };
}
