import type { OwnMembershipFragment, RoomPartsFragment } from '../generated/graphql.ts';

/** What others did, or a seat that came: the viewer is in a room, or no longer in one. */
export interface News {
  readonly what: 'seat' | 'came' | 'gone';
  readonly room: Readonly<RoomPartsFragment>;
}

/** Compares the viewer's rooms with what they were, and tells the difference that the viewer has not made. */
export interface RoomNews {
  /** Ends the listening where the returned function is called. */
  onNews(listener: (news: News) => void): () => void;
  /** What a room is called that the viewer was in, and is no longer in by another's doing; until they are in it again. */
  lost(roomId: string): string | undefined;
  /** Whether the viewer stands in line for a seat, so that they are told of it as that. */
  waits(roomId: string, isWaiting: boolean): void;
  /** The list has been read. */
  look(): void;
  /** What `act` does to the room that it gives is none; others' news wait until it is done. */
  quietly<T>(act: () => Promise<T>, roomOf: (answer: T) => string): Promise<T>;
}

type Listed = ReadonlyMap<string, Readonly<RoomPartsFragment>>;

/** `listed`: the rooms as they were last read; undefined until they are known. */
export function createNews(
  listed: () => ReadonlyArray<Readonly<OwnMembershipFragment>> | undefined,
): RoomNews {
  const listeners = new Set<(news: News) => void>();
  const waiting = new Set<string>();
  const lost = new Map<string, string>();
  let told: Listed | undefined;
  let deeds = 0;

  const now = (): Listed => new Map((listed() ?? []).map(({ room }) => [room.id, room]));

  function look(): void {
    if (deeds > 0) return;
    const before = told;
    told = now();
    if (before === undefined) return;
    for (const [id, room] of told) {
      lost.delete(id);
      if (!before.has(id)) tell({ what: waiting.delete(id) ? 'seat' : 'came', room });
    }
    for (const [id, room] of before) {
      if (told.has(id)) continue;
      lost.set(id, room.name);
      tell({ what: 'gone', room });
    }
  }

  function tell(news: News): void {
    for (const listener of [...listeners]) listener(news);
  }

  return {
    look,
    lost: (id) => lost.get(id),
    waits(id, isWaiting) {
      if (isWaiting) waiting.add(id);
      else waiting.delete(id);
    },
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async quietly(act, roomOf) {
      deeds++;
      try {
        const answer = await act();
        const id = roomOf(answer);
        const room = now().get(id);
        const others = [...(told ?? now())].filter(([other]) => other !== id);
        told = new Map(room === undefined ? others : [...others, [id, room]]);
        return answer;
      } finally {
        deeds--;
        look();
      }
    },
  };
}
