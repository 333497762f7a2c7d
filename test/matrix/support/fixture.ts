/** A room in each state, and for each user the variables of their requests. */
import { newId } from '../../../src/core/ids.ts';
import { createItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { decodeId, encodeId } from '../../../src/graphql/ids.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { httpClient, type Variables } from './clients.ts';
import { addDeliveries, DELIVERY_ID, deviceId } from './deliveries.ts';
import {
  type Relation,
  ROOM_STATES,
  type RoomState,
  relationOf,
  USER_KINDS,
  type UserKind,
} from './oracle.ts';
import { addReminders, reminderId } from './reminders.ts';
import {
  createRoom,
  currentMembers,
  fakeCode,
  globalUserId,
  type RoomFixture,
  removeFormerMembers,
  type UserName,
} from './room.ts';
import { addJobs, jobId, keptTag, renamedTag } from './savedJobs.ts';
import { addScheduled, scheduledMessageId } from './scheduled.ts';

export interface Fixture extends RoomFixture {
  /** A notification of each current and former member. Global ids. */
  readonly notifications: Readonly<Partial<Record<UserName, string>>>;
  /** The page of the directory that contains only the room: the cursor before it, and the page's size. */
  readonly directoryCursor: string | null;
  readonly directoryCount: number;
}

/** These users have no invite's code. */
const WITHOUT_CODE: readonly UserKind[] = ['stranger', 'elsewhere', 'waiting'];

export type Fixtures = Readonly<Record<RoomState, Fixture>>;

/** Creates a room in each state, each with some spare members, and waits until the stream is processed. */
export async function createFixtures(app: TestApp, spareCount = 0): Promise<Fixtures> {
  const roomFixtures: RoomFixture[] = [];
  for (const state of ROOM_STATES) roomFixtures.push(await createRoom(app, state, spareCount));
  await app.quiet();
  const { rooms } = app.services;
  const fixtures: Fixture[] = [];
  for (const fixture of roomFixtures) {
    const notifications = await firstNotifications(app, fixture);
    const { id } = fixture.users.elsewhere;
    await rooms.create(id, { name: 'Elsewhere', topic: null, visibility: 'PRIVATE', capacity: 9 });
    await addChanges(app, fixture);
    await removeFormerMembers(app, fixture);
    await addDeliveries(app, fixture);
    await addScheduled(app, fixture);
    await addReminders(app, fixture);
    await addJobs(app, fixture);
    fixtures.push({ ...fixture, notifications, ...(await directoryPage(app, fixture)) });
  }
  await app.quiet();
  return Object.fromEntries(fixtures.map((fixture) => [fixture.state, fixture])) as Fixtures;
}

/** Adds a message that was edited, one that was deleted, and a notification that was read. */
async function addChanges(app: TestApp, { room, users, texts }: RoomFixture): Promise<void> {
  const { messages, notificationReading } = app.services;
  const { owner, member } = users;
  for (const change of [messages.edit, messages.remove] as const) {
    const message = await messages.send({ room, author: owner.id, body: texts.body });
    await change(owner.id, message, texts.body);
  }
  await notificationReading.markAllRead(member.id);
}

async function firstNotifications(app: TestApp, { firstMembers, users }: RoomFixture) {
  const page = { limit: 1, from: undefined, unreadOnly: false };
  const entries = await Promise.all(
    firstMembers.map(async (name) => {
      const items = createItemLoader(app.dynamo);
      const { nodes } = await app.services.notifications.list(users[name].id, page, items);
      if (nodes[0] === undefined) throw new Error(`The ${name} has no notification.`);
      return [name, encodeId('Notification', nodes[0].id)] as const;
    }),
  );
  return Object.fromEntries(entries) as Partial<Record<UserName, string>>;
}

interface Directory {
  readonly rooms: {
    readonly edges: ReadonlyArray<{ readonly cursor: string; readonly node: { readonly id: string } }>;
  };
}

async function directoryPage(app: TestApp, { room, users }: RoomFixture) {
  const { data } = await httpClient(app.url, users.owner.token).request(
    '{ rooms(first: 100) { edges { cursor node { id } } } }',
    {},
  );
  const { edges } = (data as Directory).rooms;
  const index = edges.findIndex(({ node }) => decodeId(node.id).id === room);
  // If the room must not be in the directory, all of the directory is requested.
  return { directoryCursor: edges[index - 1]?.cursor ?? null, directoryCount: index < 0 ? 100 : 1 };
}

/** The variables of a user's requests. With `unknownRoom`, all ids are of a room that never existed. */
export function variablesOf(fixture: Fixture, kind: UserKind, { unknownRoom = false } = {}): Variables {
  const { room, users, contributions, message, invite, code, notifications, tags, state } = fixture;
  const { owner, member, partner, stranger } = users;
  const user = users[kind];
  const own = contributions[kind] ?? contributions.member;
  const others = kind === 'member' ? contributions.owner : contributions.member;
  const unknown = newId();
  const inRoom = (globalId = '') => (unknownRoom ? withRoom(globalId, room, unknown) : globalId);
  const other = kind === 'owner' ? 'member' : 'owner';
  return {
    room: inRoom(encodeId('Room', room)),
    teaStamp: encodeId('Stamp', 'tea'),
    emojiStamp: encodeId('Stamp', 'emoji:1f44d'),
    message: inRoom(message),
    reply: inRoom(contributions.owner?.message),
    answer: inRoom(contributions.member?.message),
    ownMessage: inRoom(own?.message),
    othersMessage: inRoom(others?.message),
    publicSaved: inRoom(fixture.publicSaved),
    othersSaved: inRoom(encodeId('SavedMessage', `${users[other].id}:${decodeId(message).id}`)),
    reminded: reminderId(fixture, user),
    othersReminded: reminderId(fixture, users[other]),
    stamp: inRoom(contributions.owner?.stamp),
    ownStamp: inRoom(own?.stamp),
    othersStamp: inRoom(others?.stamp),
    membership: inRoom(encodeId('Membership', `${room}:${owner.id}`)),
    ownMembership: inRoom(encodeId('Membership', `${room}:${user.id}`)),
    invite: inRoom(invite),
    code: unknownRoom || WITHOUT_CODE.includes(kind) ? fakeCode(unknownRoom ? unknown : room) : code,
    notification: notifications[kind] ?? notifications.owner ?? encodeId('Notification', newId()),
    othersNotification: notifications[other] ?? encodeId('Notification', newId()),
    ownTag: tags[kind] ?? tags.owner ?? '',
    othersTag: tags[other] ?? '',
    keptTag: keptTag(user),
    renamedTag: renamedTag(user),
    job: jobId(user),
    othersJob: jobId(users[other]),
    viewer: encodeId('Viewer', user.id),
    viewerUser: globalUserId(user),
    othersViewer: encodeId('Viewer', users[other].id),
    stranger: globalUserId(stranger),
    member: globalUserId(member),
    partner: globalUserId(partner),
    device: deviceId(user),
    othersDevice: deviceId(users[other]),
    delivery: DELIVERY_ID,
    scheduled: scheduledMessageId(user),
    othersScheduled: scheduledMessageId(users[other]),
    handle: stranger.handle,
    people: (state === 'direct' ? fixture.firstMembers : (['owner'] as const)).map((name) =>
      globalUserId(users[name]),
    ),
    name: fixture.texts.name,
    body: fixture.texts.body,
    directoryCursor: fixture.directoryCursor,
    directoryCount: fixture.directoryCount,
  };
}

/** The same id in another room. */
function withRoom(globalId: string, from: string, to: string): string {
  const { typename, id } = decodeId(globalId);
  return encodeId(typename, id.replace(from, to));
}

/** Texts and ids that must not appear anywhere in an answer to a user with this relation. */
export function secretsFrom(fixture: Fixture, relation: Relation): string[] {
  const { state, room, texts, code, invite, message, contributions, users } = fixture;
  if (relation === 'moderator' || relation === 'owner') return [code];
  if (relation === 'member' || relation === 'participant') return [code, invite];
  const messages = [
    texts.body,
    message,
    ...Object.values(contributions).flatMap((contribution) => [contribution.message, contribution.stamp]),
  ];
  const members = currentMembers(fixture)
    .map((name) => users[name])
    .flatMap(({ handle, id }) => [handle, encodeId('Membership', `${room}:${id}`)]);
  const inside = [code, invite, ...messages, ...members];
  if (relation === 'visible') return inside;
  return [...inside, encodeId('Room', room), ...(state === 'direct' ? [] : [texts.name, texts.topic])];
}

/** The kinds of users that exist for a room in this state. */
export const userKindsOf = (state: RoomState): UserKind[] =>
  USER_KINDS.filter((kind) => relationOf({ kind, state }) !== null);
