import { idFrom, newSecret } from '../../core/ids.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';

/** A way into a room for whoever has its code. */
export interface Invite {
  readonly room: string;
  /** Made of the code, which cannot be made of it. */
  readonly id: string;
  /** Who has made it. It holds whatever becomes of them. */
  readonly by: string;
  readonly createdAt: Timestamp;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Null: as many as come. */
  readonly maxUses: number | null;
  readonly uses: number;
}

const CODE = /^([0-9a-z]{1,64})\.([0-9a-z]{26})$/;

/** A new code, and the id that is stored of it. The code itself is told once, and kept nowhere. */
export function newCode(room: string): { readonly code: string; readonly id: string } {
  const code = `${room}.${newSecret()}`;
  return { code, id: idFrom(`invite:${code}`) };
}

/** Which invite a code is of; undefined where it can be of none. */
export function inviteOfCode(code: string): { readonly room: string; readonly id: string } | undefined {
  const room = CODE.exec(code)?.[1];
  return room !== undefined && isId(room) ? { room, id: idFrom(`invite:${code}`) } : undefined;
}

export const inviteItem = (invite: Invite) => ({
  ...keys.invite(invite.room, invite.id),
  v: SCHEMA_VERSION,
  by: invite.by,
  createdAt: invite.createdAt,
  expiresAt: invite.expiresAt,
  uses: invite.uses,
  ...(invite.maxUses === null ? {} : { maxUses: invite.maxUses }),
});

export const inviteOf = (room: string, id: string, item: Item): Invite => ({
  room,
  id,
  by: item.by as string,
  createdAt: item.createdAt as Timestamp,
  expiresAt: item.expiresAt as number,
  maxUses: (item.maxUses as number | undefined) ?? null,
  uses: item.uses as number,
});

/** Whether somebody can still come by it. `seconds`: now. */
export const isOpen = ({ expiresAt, maxUses, uses }: Invite, seconds: number): boolean =>
  expiresAt > seconds && (maxUses === null || uses < maxUses);
