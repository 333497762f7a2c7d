/** A room with everybody that somebody can be to it, what they said, and what of it nobody else is to hear. */

import { newId, newSecret } from '../../src/core/ids.ts';
import type { Timestamp } from '../../src/core/timestamps.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import type { TestApp } from '../support/app.ts';
import { tokenFor } from '../support/tokens.ts';
import { positionOf, type State, WHO, type Who } from './oracle.ts';

export interface Player {
  readonly handle: string;
  /** As the table names them. */
  readonly id: string;
  readonly token: string;
}

/** `partner` is another moderator, for the moderator to be a match for. */
export type Name = Who | 'partner';
type Players = Readonly<Record<Name, Player>>;

/** What one of the people in the room has done there. */
export interface Deeds {
  /** Global ids. */
  readonly message: string;
  readonly stamp: string;
}

export interface Scene {
  readonly state: State;
  /** As the table names it. */
  readonly room: string;
  /** Who is in it, at first. */
  readonly insiders: readonly Name[];
  readonly players: Players;
  /** Plain members who are there to be removed and the like, each once. */
  readonly spares: Player[];
  readonly deeds: Readonly<Partial<Record<Name, Deeds>>>;
  /** Global ids. */
  readonly message: string;
  readonly invite: string;
  readonly code: string;
  /** In the room's name, its topic and all that is said in it. */
  readonly words: { readonly name: string; readonly topic: string; readonly body: string };
}

/** They come, say something, and are gone again. */
const GOING: readonly Who[] = ['left', 'removed', 'banned'];

export async function playerNamed(app: TestApp, name: string): Promise<Player> {
  const handle = `${name}_${newId().slice(0, 8)}`;
  const id = await app.services.users.ensure({ sub: handle, handle, name: handle });
  return { handle, id, token: await tokenFor(handle) };
}

export async function gather(app: TestApp, state: State, spareCount: number): Promise<Scene> {
  const { rooms, messages, likes, stamps, users } = app.services;
  const names = [...WHO, 'partner'] as const;
  const made = await Promise.all(names.map(async (name) => [name, await playerNamed(app, name)] as const));
  const players = Object.fromEntries(made) as Players;
  const length = state === 'direct' ? 0 : spareCount;
  const spares = await Promise.all(Array.from({ length }, () => playerNamed(app, 'spare')));
  const { owner, member, moderator, partner, stranger } = players;

  const exists = (who: Who) => positionOf({ who, state }) !== null;
  const coming = GOING.filter(exists);
  const insiders: Name[] =
    state === 'direct'
      ? ['owner', 'member', ...coming]
      : ['owner', 'member', 'moderator', 'partner', ...coming];
  const secret = newSecret();
  const words = { name: `name ${secret}`, topic: `topic ${secret}`, body: `body ${secret}` };

  const others = insiders.slice(1).map((who) => players[who].id);
  const { id: room } =
    state === 'direct'
      ? await rooms.openDirect(owner.id, others)
      : await rooms.create(owner.id, {
          name: words.name,
          topic: words.topic,
          visibility: state === 'private' ? 'PRIVATE' : 'PUBLIC',
          capacity: null,
        });
  const byOwner = { by: owner.id, room };
  if (state !== 'direct') {
    for (const user of [...others, ...spares.map(({ id }) => id)]) await rooms.add({ ...byOwner, user });
    for (const { id: user } of [moderator, partner]) await rooms.setRole({ ...byOwner, user }, 'MODERATOR');
  }
  await users.update(stranger.id, { avatarUrl: 'https://pictures.example/stranger' });

  const root = await messages.send({ room, author: member.id, body: `@${owner.handle} ${words.body}` });
  const deeds: Partial<Record<Name, Deeds>> = {};
  for (const who of insiders) {
    const { id: author } = players[who];
    const reply = await messages.send({ room, author, body: words.body, replyTo: root });
    await likes.like(author, root);
    deeds[who] = {
      message: messageId(reply),
      stamp: stampId(await stamps.add(author, root, 'heart')),
    };
  }
  // So that everybody who has said something before is told of it.
  await messages.send({ room, author: owner.id, body: words.body, replyTo: root });
  const invited =
    state === 'direct' ? undefined : await rooms.createInvite({ ...byOwner, seconds: 3_600, maxUses: 100 });
  return {
    ...{ state, room, insiders, players, spares, deeds, words },
    message: messageId(root),
    invite: inviteId(invited?.invite ?? { room, id: newId() }),
    code: invited?.code ?? madeUp(room),
  };
}

/** Those who go are gone, and a room that is to be full is. */
export async function part(app: TestApp, { state, room, insiders, players, spares }: Scene): Promise<void> {
  const { rooms } = app.services;
  const { owner, left, removed, banned, waiting } = players;
  await rooms.leave(left.id, room);
  if (state === 'direct') return;
  await rooms.remove({ by: owner.id, room, user: removed.id });
  await rooms.ban({ by: owner.id, room, user: banned.id });
  if (state !== 'full') return;
  await rooms.update(owner.id, room, { capacity: staying(insiders).length + spares.length });
  await rooms.joinOrWait(waiting.id, room);
}

/** Who is in the room when those who go are gone. */
export const staying = (insiders: readonly Name[]): Name[] =>
  insiders.filter((name) => !GOING.some((who) => who === name));

interface MessageKey {
  readonly room: string;
  readonly t: Timestamp;
  readonly c: Timestamp;
}

export const globalUser = ({ id }: Player): string => encodeId('User', id);

export const messageId = ({ room, t, c }: MessageKey): string => encodeId('Message', `${room}:${t}:${c}`);

export const stampId = ({ room, t, c, s }: MessageKey & { readonly s: Timestamp }): string =>
  encodeId('MessageStamp', `${room}:${t}:${c}:${s}`);

export const inviteId = ({ room, id }: { readonly room: string; readonly id: string }): string =>
  encodeId('Invite', `${room}:${id}`);

/** A code that could be one of the room's. */
export const madeUp = (room: string): string => `${room}.${newSecret()}`;
