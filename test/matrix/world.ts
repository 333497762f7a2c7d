/** The scenes that the matrix is asked in, and for each person the ids that they ask with. */

import { newId } from '../../src/core/ids.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { decodeId, encodeId } from '../../src/graphql/ids.ts';
import type { TestApp } from '../support/app.ts';
import { type Position, positionOf, STATES, type State, WHO, type Who } from './oracle.ts';
import { gather, globalUser, madeUp, part, type Scene, staying } from './scene.ts';
import { overHttp, type Variables } from './transports.ts';

export interface World extends Scene {
  /** Of those who are or were in the room: a notification of theirs. Global ids. */
  readonly notifications: Readonly<Partial<Record<Who, string>>>;
  /** Of the directory: where the room is next, and how many to ask for. */
  readonly place: string | null;
  readonly listed: number;
}

/** Who holds no invite's code. */
const WITHOUT_CODE: readonly Who[] = ['stranger', 'elsewhere', 'waiting'];

/** A world for each state. What the stream has to derive is there. `spares`: members for whoever needs some. */
export async function createWorlds(app: TestApp, spares = 0): Promise<Readonly<Record<State, World>>> {
  const scenes: Scene[] = [];
  for (const state of STATES) scenes.push(await gather(app, state, spares));
  await app.quiet();
  const { rooms } = app.services;
  const worlds: World[] = [];
  for (const scene of scenes) {
    const notifications = await notificationsIn(app, scene);
    const elsewhere = scene.players.elsewhere.id;
    await rooms.create(elsewhere, { name: 'Elsewhere', topic: null, visibility: 'PRIVATE', capacity: 9 });
    await changeWhatWasSaid(app, scene);
    await part(app, scene);
    const place = await placeOf(app, scene);
    worlds.push({ ...scene, notifications, ...place });
  }
  await app.quiet();
  return Object.fromEntries(worlds.map((world) => [world.state, world])) as Record<State, World>;
}

/** Besides the thread: a message that was edited, one that was deleted, and a notification that was read. */
async function changeWhatWasSaid(app: TestApp, { room, players, words }: Scene): Promise<void> {
  const { messages, notificationReading } = app.services;
  const { owner, member } = players;
  for (const change of [messages.edit, messages.remove] as const) {
    const message = await messages.send({ room, author: owner.id, body: words.body });
    await change(owner.id, message, words.body);
  }
  await notificationReading.markAllRead(member.id);
}

async function notificationsIn(app: TestApp, { insiders, players }: Scene) {
  const page = { limit: 1, from: undefined, unreadOnly: false };
  const found = await Promise.all(
    insiders.map(async (who) => {
      const items = createItemLoader(app.dynamo);
      const { nodes } = await app.services.notifications.list(players[who].id, page, items);
      if (nodes[0] === undefined) throw new Error(`Nobody has told the ${who} of anything.`);
      return [who, encodeId('Notification', nodes[0].id)] as const;
    }),
  );
  return Object.fromEntries(found) as Partial<Record<Who, string>>;
}

interface Directory {
  readonly rooms: {
    readonly edges: ReadonlyArray<{ readonly cursor: string; readonly node: { readonly id: string } }>;
  };
}

async function placeOf(app: TestApp, { room, players }: Scene) {
  const { data } = await overHttp(app.url, players.owner.token).ask(
    '{ rooms(first: 100) { edges { cursor node { id } } } }',
    {},
  );
  const { edges } = (data as Directory).rooms;
  const index = edges.findIndex(({ node }) => decodeId(node.id).id === room);
  // Where it should not be all of the directory is looked at.
  return { place: edges[index - 1]?.cursor ?? null, listed: index < 0 ? 100 : 1 };
}

/** What a person of the world asks with. `nowhere`: of a room that there never was, in the same shapes. */
export function variablesOf(world: World, who: Who, { nowhere = false } = {}): Variables {
  const { room, players, deeds, message, invite, code, notifications, state } = world;
  const { owner, member, partner, stranger } = players;
  const asker = players[who];
  const mine = deeds[who] ?? deeds.member;
  const anothers = who === 'member' ? deeds.owner : deeds.member;
  const fake = newId();
  const of = (globalId = '') => (nowhere ? moved(globalId, room, fake) : globalId);
  const another = who === 'owner' ? 'member' : 'owner';
  return {
    room: of(encodeId('Room', room)),
    message: of(message),
    reply: of(deeds.owner?.message),
    ownMessage: of(mine?.message),
    anothersMessage: of(anothers?.message),
    stamp: of(deeds.owner?.stamp),
    ownStamp: of(mine?.stamp),
    anothersStamp: of(anothers?.stamp),
    membership: of(encodeId('Membership', `${room}:${owner.id}`)),
    ownMembership: of(encodeId('Membership', `${room}:${asker.id}`)),
    invite: of(invite),
    code: nowhere || WITHOUT_CODE.includes(who) ? madeUp(nowhere ? fake : room) : code,
    notification: notifications[who] ?? notifications.owner ?? encodeId('Notification', newId()),
    anothersNotification: notifications[another] ?? encodeId('Notification', newId()),
    viewer: encodeId('Viewer', asker.id),
    viewerUser: globalUser(asker),
    anothersViewer: encodeId('Viewer', players[another].id),
    stranger: globalUser(stranger),
    member: globalUser(member),
    partner: globalUser(partner),
    handle: stranger.handle,
    people: (state === 'direct' ? world.insiders : (['owner'] as const)).map((one) =>
      globalUser(players[one]),
    ),
    name: world.words.name,
    body: world.words.body,
    place: world.place,
    listed: world.listed,
  };
}

/** The same id in another room. */
function moved(globalId: string, from: string, to: string): string {
  const { typename, id } = decodeId(globalId);
  return encodeId(typename, id.replace(from, to));
}

/** What somebody in this position must not be told, wherever it stands in an answer. */
export function secretsFrom(world: World, position: Position): string[] {
  const { state, room, words, code, invite, message, deeds } = world;
  if (position === 'moderator' || position === 'owner') return [code];
  if (position === 'member' || position === 'equal') return [code, invite];
  const said = [words.body, message, ...Object.values(deeds).flatMap((deed) => [deed.message, deed.stamp])];
  const people = staying(world.insiders).map((name) => world.players[name]);
  const named = people.flatMap(({ handle, id }) => [handle, encodeId('Membership', `${room}:${id}`)]);
  const inside = [code, invite, ...said, ...named];
  if (position === 'seen') return inside;
  return [...inside, encodeId('Room', room), ...(state === 'direct' ? [] : [words.name, words.topic])];
}

/** Those of all who can be to a room that is so what they are. */
export const castOf = (state: State): Who[] => WHO.filter((who) => positionOf({ who, state }) !== null);
