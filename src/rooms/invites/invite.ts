import { defined } from '../../core/defined.ts';
import { idFrom, newSecret } from '../../core/ids.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';

/** Lets anyone who has its code join a room. */
export interface Invite {
  readonly room: string;
  /** A hash of the code. */
  readonly id: string;
  /** The user who created it. It ends when they are banned or demoted, or leave a room that is not public. */
  readonly by: string;
  readonly createdAt: Timestamp;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Null: no limit. */
  readonly maxUses: number | null;
  readonly uses: number;
}

const CODE = /^([0-9a-z]{1,64})\.([0-9a-z]{26})$/;

/** A new code and the id that is stored for it. The code is returned once and never stored. */
export function newCode(room: string): { readonly code: string; readonly id: string } {
  const code = `${room}.${newSecret()}`;
  return { code, id: idFrom(`invite:${code}`) };
}

/** The invite that a code belongs to. Undefined if the text is not a code. */
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
  ...defined({ maxUses: invite.maxUses ?? undefined }),
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

/** Whether the invite can still be used. `seconds`: now. */
export const isOpen = ({ expiresAt, maxUses, uses }: Omit<Invite, 'by'>, seconds: number): boolean =>
  expiresAt > seconds && (maxUses === null || uses < maxUses);
