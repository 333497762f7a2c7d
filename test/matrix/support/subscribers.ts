/** Users with open subscriptions, and the check of everything that they received. */
import { encodeId } from '../../../src/graphql/ids.ts';
import type { TestApp } from '../../support/servers/app.ts';
import {
  type Answer,
  eventStreamClient,
  type LiveTransport,
  STREAM_ENDED,
  type Subscription,
  webSocketClient,
} from './clients.ts';
import { type Fixture, secretsFrom, variablesOf } from './fixture.ts';
import { type Covered, cellText, leakedSecrets, mismatchText } from './mismatches.ts';
import {
  type Cell,
  expectedSubscribe,
  type Relation,
  relationOf,
  SUBSCRIPTIONS,
  type UserKind,
} from './oracle.ts';
import { createUser, globalUserId, messageId, type User } from './room.ts';
import { allowedDocument, eventIn, eventMismatches } from './subscriptionCases.ts';

export interface NamedUser {
  readonly name: string;
  readonly user: User;
  readonly kind: UserKind;
}

/** A user with all subscriptions that the oracle allows. */
export interface Subscriber {
  readonly name: string;
  readonly user: User;
  readonly cell: Cell;
  readonly transport: LiveTransport;
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  close(): Promise<void>;
}

export function subscribe(
  app: TestApp,
  fixture: Fixture,
  { name, user, kind, transport }: NamedUser & Pick<Subscriber, 'transport'>,
): Subscriber {
  const cell: Cell = { kind, state: fixture.state };
  const client = CLIENTS[transport](app.url, user.token);
  const variables = variablesOf(fixture, kind);
  const allowed = SUBSCRIPTIONS.filter((subscription) => expectedSubscribe(subscription, cell) === 'ok');
  const entries = allowed.map((subscription) => {
    const document = allowedDocument({ subscription, cell, relation: relationOf(cell) });
    return [subscription, client.subscribe(document, variables)] as const;
  });
  const subscriptions = Object.fromEntries(entries);
  return { name, user, cell, transport, subscriptions, close: () => client.close() };
}

const CLIENTS = { websocket: webSocketClient, SSE: eventStreamClient };

export const isA = (type: string) => (answer: Answer) => eventIn(answer)?.__typename === type;

/**
 * Creates another private room with these users. Returns a function that mentions all of them there and resolves to
 * the message's id. A subscriber who has received that notification has received everything that was sent before.
 */
export async function createMarkerRoom(app: TestApp, users: readonly User[]) {
  const { rooms, messages } = app.services;
  const owner = await createUser(app, 'markers');
  const input = { name: 'Markers', topic: null, visibility: 'PRIVATE', capacity: null } as const;
  const { id: room } = await rooms.create(owner.id, input);
  // By an invite, because a user who is added is notified.
  const { code } = await rooms.createInvite({ by: owner.id, room, seconds: 60, maxUses: null });
  for (const { id } of users) await rooms.joinWithInvite(id, code);
  const body = users.map(({ handle }) => `@${handle}`).join(' ');
  return async () => messageId(await messages.send({ room, author: owner.id, body }));
}

/** For each subscription, how many answers had arrived when the subscriber was removed. */
type AnswerCounts = Readonly<Record<string, number>>;

/** Resolves when the subscriber was notified that they are not in the room any more. */
export async function removedFrom(fixture: Fixture, { subscriptions }: Subscriber): Promise<AnswerCounts> {
  const { unread, notificationChanged } = subscriptions;
  const room = encodeId('Room', fixture.room);
  const removal = await unread?.until(({ text }) => text.includes(`"removedRoomIds":["${room}"`));
  return {
    unread: removal === undefined ? 0 : (unread?.answers.indexOf(removal) ?? 0),
    notificationChanged: notificationChanged?.answers.length ?? 0,
  };
}

/** How each transport ends with its token. */
const CLOSED = { websocket: 4403, SSE: STREAM_ENDED };

export interface ReceivedContext {
  /** The text of messages that were sent after the removals. */
  readonly secret: string;
  readonly removed: ReadonlyMap<Subscriber, AnswerCounts>;
  /** Whether the answer is about the room of markers. */
  readonly isMarker: (answer: Answer) => boolean;
  readonly covered: Covered;
}

/** A line for each thing that the subscriber received and must not, or that is not as expected. */
export function receivedMismatches(
  fixture: Fixture,
  subscriber: Subscriber,
  { secret, removed, isMarker, covered }: ReceivedContext,
): string[] {
  const { name, user, cell, transport, subscriptions } = subscriber;
  const relation = relationOf(cell) as Relation;
  const isOut = removed.has(subscriber) || name === 'expiring';
  const secrets = [
    ...secretsFrom(fixture, relation),
    ...(isOut || !('roomEvents' in subscriptions) ? [secret] : []),
  ];
  const { name: roomName, body } = fixture.texts;
  // All ids of the room's messages begin with the last one: its length is a multiple of three bytes, so base64 of a
  // longer id has the same beginning.
  const ofRoom = [encodeId('Room', fixture.room), roomName, body, encodeId('Message', fixture.room)];
  return Object.entries(subscriptions).flatMap(([subscription, { answers }]) => {
    const removedAt = removed.get(subscriber)?.[subscription] ?? Number.POSITIVE_INFINITY;
    const at = `${name}: ${cellText(`Subscription.${subscription}`, cell, transport)}`;
    return answers.flatMap((answer, i) => {
      const forbidden = i < removedAt ? secrets : [...secrets, ...ofRoom];
      // The room's id here is the one thing that a removed member is sent.
      const text = answer.text.replace(/"removedRoomIds":\[.*?\]/, '');
      const leaks = leakedSecrets(text, forbidden).map((leak) => `${at}: contains “${leak}”`);
      if (answer.closed !== undefined) {
        // A busy machine opens it only when the token is refused.
        const isRefused = name === 'expiring' && transport === 'SSE' && answer.closed === 401;
        return isRefused || answer.closed === CLOSED[transport]
          ? leaks
          : [...leaks, `${at}: closed with ${answer.closed}`];
      }
      // A removed member may see less of a notification, but those that arrived before were complete.
      if (isMarker(answer) || (isOut && subscription === 'notificationChanged')) return leaks;
      // The user in the waitlist gets a seat when a member leaves, and is a member then.
      if (cell.kind === 'waiting' && answer.text.includes('"SEAT"')) return leaks;
      // An event that was resolved during the removal is refused.
      if (isOut && answer.data === null) return leaks;
      const mismatches = eventMismatches(
        answer,
        { subscription, cell, relation },
        { covered, viewer: globalUserId(user) },
      );
      return [...leaks, ...mismatches.map((mismatch) => `${at}: ${mismatchText(mismatch)}`)];
    });
  });
}
