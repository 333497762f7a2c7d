import type { ItemSource } from '../dynamo/itemLoader.ts';
import type { Message } from '../messages/message.ts';
import type { Member } from '../rooms/room.ts';

/** What a reader of a room is told; `cursor` is the number of the last change that they then know of. */
export type RoomEvent = {
  readonly room: string;
  readonly cursor: number;
  /** Where what is shown beside it is read: together with all readers of the same event. */
  readonly source?: ItemSource;
} & (
  | { readonly type: 'Synced' | 'ResyncRequired' | 'RoomChanged' }
  | { readonly type: 'MessageAdded' | 'MessageChanged'; readonly message: Message }
  | { readonly type: 'MembershipChanged'; readonly user: string; readonly member: Member | null }
  | { readonly type: 'TypingChanged'; readonly users: readonly string[] }
);
