/**
 * Every kind of user × every subscription × every state of the room: when it is opened, and at each event after that.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { encodeCursor } from '../../src/graphql/connections.ts';
import { tokenFor } from '../support/clients/tokens.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import {
  type Answer,
  type Clients,
  clientsOf,
  LIVE_TRANSPORTS,
  type LiveTransport,
  type Transport,
  unauthenticatedMismatch,
  webSocketClient,
} from './support/clients.ts';
import { SUBSCRIPTION_FIELDS } from './support/fieldRules.ts';
import {
  createFixtures,
  type Fixture,
  type Fixtures,
  secretsFrom,
  userKindsOf,
  variablesOf,
} from './support/fixture.ts';
import { type Covered, cellText, leakedSecrets, mismatchText } from './support/mismatches.ts';
import {
  type Cell,
  expectedSubscribe,
  type Relation,
  ROOM_STATES,
  relationOf,
  SUBSCRIPTIONS,
} from './support/oracle.ts';
import { globalUserId } from './support/room.ts';
import { rowsOf } from './support/schema.ts';
import {
  createMarkerRoom,
  isA,
  type NamedUser,
  receivedMismatches,
  removedFrom,
  subscribe,
} from './support/subscribers.ts';
import { allowedDocument, eventMismatches, refusedDocument } from './support/subscriptionCases.ts';

let app: TestApp;
let fixtures: Fixtures;
beforeAll(async () => {
  app = await startTestApp();
  fixtures = await createFixtures(app, 3);
});
afterAll(() => app?.stop());

const covered: Covered = new Set();

/** The error codes with their paths: an error below the subscription's field would not be a refusal. */
const refusalText = ({ errors }: Answer): string =>
  errors.map(({ extensions, path }) => `${extensions?.code} at ${path}`).join(', ');

/** Opens one subscription and returns a line for each mismatch in the first answer. */
async function openingMismatches(
  subscription: string,
  cell: Cell,
  { clients, transport }: { readonly clients: Clients; readonly transport: LiveTransport },
): Promise<string[]> {
  const { HTTP, [transport]: live } = clients;
  const fixture = fixtures[cell.state];
  const relation = relationOf(cell) as Relation;
  const variables = variablesOf(fixture, cell.kind);
  const secrets = secretsFrom(fixture, relation);
  const outcome = expectedSubscribe(subscription, cell);
  const subscriptionCase = { subscription, cell, relation: outcome === 'ok' ? relation : 'visible' } as const;
  const document = allowedDocument(subscriptionCase);
  const mismatches: string[] = [];
  const report = (over: Transport | LiveTransport, what: string) =>
    mismatches.push(`${cellText(`Subscription.${subscription}`, cell, over)}: ${what}`);
  const reportLeaks = (over: Transport | LiveTransport, { text }: Answer) => {
    for (const secret of leakedSecrets(text, secrets)) report(over, `contains “${secret}”`);
  };

  // Without an event stream HTTP serves no subscriptions to anyone.
  const overHttp = await HTTP.request(document, variables);
  if (overHttp.data !== null || overHttp.errors.length === 0) report('HTTP', `got ${overHttp.text}`);
  reportLeaks('HTTP', overHttp);

  const opened = live.subscribe(document, variables);
  // Has no first event. A later answer shows that it was not refused.
  if (outcome === 'ok' && subscription === 'notificationChanged') {
    await live.request('{ viewer { id } }', {});
    for (const answer of opened.answers) reportLeaks(transport, answer);
    if (opened.answers.some(({ errors }) => errors.length > 0)) report(transport, 'it was refused');
    opened.close();
    return mismatches;
  }
  const first = await opened.first();
  reportLeaks(transport, first);
  if (relation === 'unauthenticated') {
    const got = unauthenticatedMismatch(first);
    if (got !== null) report(transport, `expected UNAUTHENTICATED, got ${got}`);
  } else if (outcome !== 'ok') {
    if (refusalText(first) !== `${outcome} at ${subscription}` || first.data !== null)
      report(transport, `expected ${outcome}, got ${first.text}`);
    if (relation === 'hidden') {
      const unknownRoom = variablesOf(fixture, cell.kind, { unknownRoom: true });
      const toUnknown = await live.request(document, unknownRoom);
      if (toUnknown.text !== first.text) report(transport, 'differs from a room that never existed');
    }
  } else {
    const viewer = globalUserId(fixture.users[cell.kind]);
    for (const mismatch of eventMismatches(first, subscriptionCase, { covered, viewer }))
      report(transport, mismatchText(mismatch));
  }
  opened.close();

  const refused =
    outcome === 'ok' && subscription === 'roomEvents' ? refusedDocument(subscriptionCase) : null;
  if (refused === null) return mismatches;
  const withRefusedFields = live.subscribe(refused, variables);
  const answer = await withRefusedFields.first();
  const good =
    answer.data === null && answer.errors.every(({ extensions }) => extensions?.code === 'FORBIDDEN');
  if (!good || answer.errors.length === 0)
    report(transport, `expected FORBIDDEN for the room's fields, got ${answer.text}`);
  withRefusedFields.close();
  return mismatches;
}

describe.each(ROOM_STATES)('subscribing: to a %s room', (state) => {
  test.each(userKindsOf(state))('as %s returns what the oracle allows', async (kind) => {
    const cell: Cell = { kind, state };
    const clients = await clientsOf(app.url, fixtures[state], kind);
    const mismatches: string[] = [];
    for (const transport of LIVE_TRANSPORTS) {
      for (const subscription of SUBSCRIPTIONS)
        mismatches.push(...(await openingMismatches(subscription, cell, { clients, transport })));
      await clients[transport].close();
    }
    expect(mismatches).toEqual([]);
  });
});

/** Everyone who has a valid token, as those who stay and those who will leave the room. */
function subscribersOf({ state, users, spares }: Fixture) {
  const signedIn = userKindsOf(state).filter((kind) => relationOf({ kind, state }) !== 'unauthenticated');
  const everyone: NamedUser[] = signedIn.map((kind) => ({ name: kind, kind, user: users[kind] }));
  const leaving: NamedUser[] = spares.map((user, i) => ({ name: `leaving ${i}`, kind: 'member', user }));
  if (state === 'direct') leaving.push({ name: 'leaving', kind: 'member', user: users.member });
  const staying = everyone.filter(({ user }) => !leaving.some((one) => one.user === user));
  return { staying, leaving };
}

test.each(ROOM_STATES)('open subscriptions: in a %s room only members receive the events', async (state) => {
  const { rooms, messages, likes, stamps, saved } = app.services;
  const fixture = fixtures[state];
  const { room, users, texts, spares } = fixture;
  const { owner, member } = users;
  const root = await messages.send({ room, author: member.id, body: texts.body });
  // The spare members follow the thread. They are notified of its replies until they leave.
  for (const { id } of spares) await messages.send({ room, author: id, body: texts.body, replyTo: root });

  const { staying, leaving } = subscribersOf(fixture);
  const all = [...staying, ...leaving];
  const sendMarker = await createMarkerRoom(
    app,
    all.map(({ user }) => user),
  );
  // Every second one by event streams, of those who stay and of those who leave.
  const subscribers = all.map((one, i) =>
    subscribe(app, fixture, { ...one, transport: i % 2 === 0 ? 'websocket' : 'SSE' }),
  );
  const inRoom = subscribers.filter(({ subscriptions }) => 'roomEvents' in subscriptions);
  const removed = subscribers.slice(staying.length);
  // It is refused while the test runs, 5 s after it expired. The server then has to end the subscriptions.
  const token = await tokenFor(owner.handle, '2 seconds ago');
  const expiring = LIVE_TRANSPORTS.map((transport) =>
    subscribe(app, fixture, { name: 'expiring', kind: 'owner', user: { ...owner, token }, transport }),
  );
  const roomEventOf = (type: string, receivers = inRoom) =>
    Promise.all(receivers.map(({ subscriptions }) => subscriptions.roomEvents?.until(isA(type))));
  await roomEventOf('Synced');

  // An event of each type.
  const other = await messages.send({ room, author: member.id, body: texts.body });
  await likes.add(owner.id, other);
  // In a direct room it is refused.
  await rooms.update(owner.id, room, { topic: texts.topic }).catch(() => {});
  app.services.typing.set({ room, user: owner.id, membershipEpoch: 100 }, true);
  await roomEventOf('MessageAdded');
  await roomEventOf('MessageChanged');
  // Alone, so that its event has a cause.
  await app.quiet();
  await stamps.add(owner.id, other, 'tea');
  await Promise.all(
    inRoom.map(({ subscriptions }) =>
      subscriptions.roomEvents?.until(({ text }) => text.includes('"STAMPED"')),
    ),
  );
  if (state !== 'direct') await roomEventOf('RoomChanged');
  // Users do not receive their own typing.
  await roomEventOf(
    'TypingChanged',
    inRoom.filter(({ user }) => user !== owner),
  );
  const { notificationChanged } = subscribers.find(({ user }) => user === member)?.subscriptions ?? {};
  await notificationChanged?.until(({ text }) => text.includes('"LIKE"'));
  await likes.remove(owner.id, other);
  await notificationChanged?.until(({ text }) => /"removedId":"/.test(text));

  const { savedChanged } = subscribers.find(({ user }) => user === owner)?.subscriptions ?? {};
  const key = { user: owner.id, room: other.room, threadTs: other.threadTs, ts: other.ts };
  await saved.save(key, { visibility: 'PUBLIC', note: 'seen by one' }, { known: false });
  await savedChanged?.until(({ text }) => text.includes('seen by one'));
  await saved.remove(key);
  await savedChanged?.until(({ text }) => /"removedId":"/.test(text));

  // One leaves, one is removed, one is banned. Each receives the end of the subscription.
  const [left, kicked, banned] = removed.map(({ user }) => user.id);
  if (left !== undefined) await rooms.leave(left, room);
  if (kicked !== undefined) await rooms.remove({ by: owner.id, room, user: kicked });
  if (banned !== undefined) await rooms.ban({ by: owner.id, room, user: banned });
  await Promise.all(removed.map(({ subscriptions }) => subscriptions.roomEvents?.ended()));
  const counts = new Map(
    await Promise.all(removed.map(async (one) => [one, await removedFrom(fixture, one)] as const)),
  );
  const ofExpiring = expiring.flatMap(({ subscriptions }) => Object.values(subscriptions));
  await Promise.all(ofExpiring.map((subscription) => subscription.ended()));

  // Only those who are still in the room may receive the following messages.
  const secret = newSecret();
  const mentions = removed.map(({ user }) => `@${user.handle}`).join(' ');
  await messages.send({ room, author: owner.id, body: `${mentions} ${secret}` });
  await messages.send({ room, author: owner.id, body: secret, replyTo: root });
  const stillInRoom = inRoom.filter((one) => !removed.includes(one));
  await Promise.all(
    stillInRoom.map(({ subscriptions }) =>
      subscriptions.roomEvents?.until(({ text }) => text.includes(secret)),
    ),
  );
  const marker = await sendMarker();
  const isMarker = ({ text }: Answer) => text.includes(marker);
  await Promise.all(
    subscribers.map(({ subscriptions }) => subscriptions.notificationChanged?.until(isMarker)),
  );

  const context = { secret, removed: counts, isMarker, covered };
  expect([...subscribers, ...expiring].flatMap((one) => receivedMismatches(fixture, one, context))).toEqual(
    [],
  );
  // What is saved is sent to the devices of its user only, also if it is public.
  const receivers = subscribers.filter(({ subscriptions }) =>
    subscriptions.savedChanged?.answers.some(({ text }) => /"removedId":"|seen by one/.test(text)),
  );
  expect(receivers.map(({ user }) => user)).toEqual([owner]);
  await checkResync(fixture);
  await Promise.all([...expiring, ...subscribers].map((one) => one.close()));
});

/** Deletes the room's log, as if it had expired. A subscription that continues from its beginning has to resync. */
async function checkResync(fixture: Fixture): Promise<void> {
  const { room, state, users } = fixture;
  const items = await itemsIn(app.dynamo, ranges.log(room, 1, 1_000));
  await app.dynamo.transact(items.map(({ sk }) => ({ delete: keys.log(room, Number(sk)) })));
  const client = webSocketClient(app.url, users.owner.token);
  const cell: Cell = { kind: 'owner', state };
  const after = encodeCursor({ list: `events:${room}`, position: /^\d{16}$/ }, toTimestamp(0));
  const subscriptionCase = { subscription: 'roomEvents', cell, relation: relationOf(cell), after };
  const resumed = client.subscribe(allowedDocument(subscriptionCase), variablesOf(fixture, 'owner'));
  const resync = await resumed.until(isA('ResyncRequired'));
  const context = { covered, viewer: globalUserId(users.owner) };
  expect(eventMismatches(resync, subscriptionCase, context)).toEqual([]);
  await client.close();
}

test('subscriptions: every field of an event had a value for some user', () => {
  expect(rowsOf(SUBSCRIPTION_FIELDS).filter((row) => !covered.has(row))).toEqual([]);
});
