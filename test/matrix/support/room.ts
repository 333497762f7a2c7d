/** Creates a room with a user of each kind, and what they did in it. */

import { newId, newSecret } from '../../../src/core/ids.ts';
import type { Timestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { savedId } from '../../../src/saved/entry.ts';
import { tokenFor } from '../../support/clients/tokens.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { type RoomState, relationOf, USER_KINDS, type UserKind } from './oracle.ts';

export interface User {
  readonly handle: string;
  /** The id in the table. */
  readonly id: string;
  readonly token: string;
}

/** `partner` is a second moderator: moderators may not remove each other. */
export type UserName = UserKind | 'partner';
type Users = Readonly<Record<UserName, User>>;

/** What a member has done in the room. Global ids. */
interface Contribution {
  readonly message: string;
  readonly stamp: string;
}

export interface RoomFixture {
  readonly state: RoomState;
  /** The id in the table. */
  readonly room: string;
  /** The members at first. Some of them leave later. */
  readonly firstMembers: readonly UserName[];
  readonly users: Users;
  /** Plain members for tests that remove or promote one. Each is used once. */
  readonly spares: User[];
  readonly contributions: Readonly<Partial<Record<UserName, Contribution>>>;
  /** The thread's root. A global id. */
  readonly message: string;
  /** What the owner has saved publicly. A global id. */
  readonly publicSaved: string;
  /** A tag of each current and former member. Global ids. */
  readonly tags: Readonly<Partial<Record<UserName, string>>>;
  /** A global id. */
  readonly invite: string;
  readonly code: string;
  /** The room's name, its topic, and the body of its messages. They contain a secret of this room. */
  readonly texts: { readonly name: string; readonly topic: string; readonly body: string };
}

/** These users join, send messages, and leave. */
const FORMER_MEMBERS: readonly UserKind[] = ['left', 'removed', 'banned'];

export async function createUser(app: TestApp, name: string): Promise<User> {
  const handle = `${name}_${newId().slice(0, 8)}`;
  const id = await app.services.users.ensure({ sub: handle, handle, name: handle });
  return { handle, id, token: await tokenFor(handle) };
}

export async function createRoom(app: TestApp, state: RoomState, spareCount: number): Promise<RoomFixture> {
  const { rooms, messages, likes, stamps, saved, users: userService } = app.services;
  const names = [...USER_KINDS, 'partner'] as const;
  const created = await Promise.all(names.map(async (name) => [name, await createUser(app, name)] as const));
  const users = Object.fromEntries(created) as Users;
  const length = state === 'direct' ? 0 : spareCount;
  const spares = await Promise.all(Array.from({ length }, () => createUser(app, 'spare')));
  const { owner, member, moderator, partner, stranger } = users;

  const former = FORMER_MEMBERS.filter((kind) => relationOf({ kind, state }) !== null);
  const firstMembers: UserName[] =
    state === 'direct'
      ? ['owner', 'member', ...former]
      : ['owner', 'member', 'moderator', 'partner', ...former];
  const secret = newSecret();
  const texts = { name: `name ${secret}`, topic: `topic ${secret}`, body: `body ${secret}` };

  const others = firstMembers.slice(1).map((name) => users[name].id);
  const { id: room } =
    state === 'direct'
      ? await rooms.openDirect(owner.id, others)
      : await rooms.create(owner.id, {
          name: texts.name,
          topic: texts.topic,
          visibility: state === 'private' || state === 'fullPrivate' ? 'PRIVATE' : 'PUBLIC',
          capacity: null,
        });
  const byOwner = { by: owner.id, room };
  if (state !== 'direct') {
    for (const user of [...others, ...spares.map(({ id }) => id)]) await rooms.add({ ...byOwner, user });
    for (const { id: user } of [moderator, partner]) await rooms.setRole({ ...byOwner, user }, 'MODERATOR');
  }
  for (const name of firstMembers) await rooms.arrange(users[name].id, room, { section: 'Mine' });
  await userService.update(stranger.id, {
    avatarUrl: 'https://pictures.example/stranger',
    timeZone: 'Asia/Tokyo',
  });
  // As an import would have left them.
  for (const key of [keys.user(stranger.id), keys.room(room)]) {
    await app.dynamo.update(key, {
      update: 'SET externalId = :id',
      values: { ':id': 'import:slack:X1' },
    });
  }

  await app.services.deliverySettings.change(member.id, {
    quietHours: { from: 1_320, to: 420, timeZone: 'Asia/Tokyo', days: [1, 5] },
    pausedUntil: Date.now() + 86_400_000,
  });
  await app.services.deliverySettings.revise(member.id, () => ({
    emailDigest: 'DAILY',
    email: { address: 'member@example.org', tokenAt: 0 },
    emailRefusedAt: Date.now(),
  }));
  await app.services.blocks.block(member.id, (await createUser(app, 'blocked')).id);

  const root = await messages.send({
    room,
    author: member.id,
    body: `@${owner.handle} ${texts.body}`,
    idempotencyKey: newId(),
  });
  const contributions: Partial<Record<UserName, Contribution>> = {};
  let last = root;
  for (const name of firstMembers) {
    const { id: author } = users[name];
    const reply = await messages.send({ room, author, body: texts.body, replyTo: last });
    last = reply;
    await likes.add(author, root);
    contributions[name] = {
      message: messageId(reply),
      stamp: stampId(await stamps.add(author, root, 'heart')),
    };
  }
  const tags: Partial<Record<UserName, string>> = {};
  for (const name of firstMembers) {
    const user = users[name].id;
    const change = { note: 'hidden note', tags: [{ shown: 'Later', folded: 'later' }] };
    const entry = await saved.save({ user, ...root }, change, { known: false });
    tags[name] = encodeId('SavedTag', `${user}:${entry.tags[0]}`);
  }
  await saved.save({ user: owner.id, ...last }, { visibility: 'PUBLIC', note: 'note' }, { known: false });
  // Notifies everyone who replied before.
  await messages.send({ room, author: owner.id, body: texts.body, replyTo: root });
  const invited =
    state === 'direct' ? undefined : await rooms.createInvite({ ...byOwner, seconds: 3_600, maxUses: 100 });
  return {
    state,
    room,
    firstMembers,
    users,
    spares,
    contributions,
    texts,
    tags,
    message: messageId(root),
    publicSaved: encodeId('SavedMessage', savedId({ user: owner.id, ...last })),
    invite: inviteId(invited?.invite ?? { room, id: newId() }),
    code: invited?.code ?? fakeCode(room),
  };
}

/** The former members leave, are removed or are banned. A room that has to be full becomes full. */
export async function removeFormerMembers(app: TestApp, fixture: RoomFixture): Promise<void> {
  const { state, room, users, spares } = fixture;
  const { rooms } = app.services;
  const { owner, left, removed, banned, waiting } = users;
  await rooms.leave(left.id, room);
  if (state === 'direct') return;
  await rooms.remove({ by: owner.id, room, user: removed.id });
  await rooms.ban({ by: owner.id, room, user: banned.id });
  if (state !== 'full' && state !== 'fullPrivate') return;
  await rooms.update(owner.id, room, { capacity: currentMembers(fixture).length + spares.length });
  await rooms.joinWithInviteOrWait(waiting.id, fixture.code);
}

/** The members, without the former ones. */
export const currentMembers = ({ firstMembers }: RoomFixture): UserName[] =>
  firstMembers.filter((name) => !FORMER_MEMBERS.some((kind) => kind === name));

interface MessageKey {
  readonly room: string;
  readonly threadTs: Timestamp;
  readonly ts: Timestamp;
}

export const globalUserId = ({ id }: User): string => encodeId('User', id);

export const messageId = ({ room, threadTs, ts }: MessageKey): string =>
  encodeId('Message', `${room}:${threadTs}:${ts}`);

export const stampId = ({
  room,
  threadTs,
  ts,
  stampedAt,
}: MessageKey & { readonly stampedAt: Timestamp }): string =>
  encodeId('MessageStamp', `${room}:${threadTs}:${ts}:${stampedAt}`);

export const inviteId = ({ room, id }: { readonly room: string; readonly id: string }): string =>
  encodeId('Invite', `${room}:${id}`);

/** A code in the form of the room's codes that no invite has. */
export const fakeCode = (room: string): string => `${room}.${newSecret()}`;
