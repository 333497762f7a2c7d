/** What an import writes, from any format. Ids are those of the table. */
import type { Timestamp } from '../core/timestamps.ts';
import type { Role, Room } from '../rooms/room.ts';

export interface ImportedPerson {
  readonly id: string;
  readonly displayName: string;
  /** The one to have if it is free. */
  readonly handle: string | null;
  /** `import:<source>:<id>`; absent in our own export. */
  readonly externalId?: string;
  readonly deletedAt?: Timestamp;
  /** Whether the user's first token fills the profile. */
  readonly followsToken: boolean;
}

export interface ImportedMember {
  readonly user: string;
  readonly role: Role;
  readonly joinedAt: Timestamp;
}

export interface ImportedBan {
  readonly user: string;
  readonly by: string;
  readonly at: Timestamp;
}

export interface ImportedRoom extends Omit<Room, 'createdAt'> {
  /** Null: that of the first message; without one, that of the first member, or of the import. */
  readonly createdAt: Timestamp | null;
  readonly capacity: number | null;
  /** Null: the authors. */
  readonly members: readonly ImportedMember[] | null;
  readonly bans: readonly ImportedBan[];
}

/** Times are in microseconds since 1970, as the file has them: two messages may have the same. */
export interface ImportedMessage {
  /** Names the message among those of its room. */
  readonly key: string;
  /** The message that it answers; null: it is a root. */
  readonly replyTo: string | null;
  readonly at: number;
  readonly author: string;
  /** As the table stores it; null if the message is deleted. */
  readonly body: string | null;
  readonly mentions: readonly string[];
  readonly editedAt: Timestamp | null;
  readonly edits: number;
  readonly deletedAt: Timestamp | null;
  /** Null: it is counted from what happened to the message. */
  readonly version: number | null;
  /** Among the room's roots, for their order; null: by time. */
  readonly position: number | null;
  /** Null in our own export, where the key is the id. */
  readonly externalId: string | null;
  readonly stamps: ReadonlyArray<{ readonly user: string; readonly stampKey: string; readonly at: number }>;
  readonly likes: ReadonlyArray<{ readonly user: string; readonly at: number }>;
}

/** A place in the input: `export.ndjson:12`. */
export type Place = string;
