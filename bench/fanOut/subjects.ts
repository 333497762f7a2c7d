/** What is pushed to the readers: a subscription, and the action of each round that causes an event. */
import { print } from 'graphql';
import { encodeId } from '../../src/graphql/ids.ts';
import { UnreadLive } from '../../test/support/clients/operations.ts';
import type { TestApp } from '../../test/support/servers/app.ts';
import { RoomEventsDocument } from '../../web/src/generated/graphql.ts';

/** A room, its owner, who acts, and its readers. */
export interface Scene {
  readonly app: TestApp;
  readonly room: string;
  readonly owner: string;
  readonly people: readonly string[];
}

export type Act = (round: number) => Promise<unknown>;

export interface Subject {
  readonly field: 'unread' | 'roomEvents';
  readonly query: string;
  variables(room: string): object;
  /** Actions of one round, all at once. */
  readonly perRound: number;
  /** Returns one action of a round. It causes exactly one event for each reader. */
  prepare(scene: Scene): Promise<Act>;
}

const send =
  ({ app, room, owner: author }: Scene): Act =>
  (round) =>
    app.services.messages.send({ room, author, body: `Message ${round}` });

/** Another reader likes the same message in each round. */
async function like({ app, room, owner, people }: Scene): Promise<Act> {
  const message = await app.services.messages.send({ room, author: owner, body: 'Liked' });
  return (round) => app.services.likes.add(people[round] ?? owner, message);
}

async function stamp({ app, room, owner, people }: Scene): Promise<Act> {
  const message = await app.services.messages.send({ room, author: owner, body: 'Stamped' });
  const [first] = app.services.catalogue.stamps;
  return (round) => app.services.stamps.add(people[round] ?? owner, message, first?.key ?? '');
}

const roomEvents = {
  field: 'roomEvents',
  query: print(RoomEventsDocument),
  perRound: 1,
  variables: (room: string) => ({ room: encodeId('Room', room) }),
} as const;

/** The web client's subscription with the fields that differ between readers. Other clients may ask for them. */
const withOwnFields = {
  ...roomEvents,
  query: `${roomEvents.query.replaceAll(/(message \{\s*\.\.\.)SharedParts/g, '$1OwnParts')}
    fragment OwnParts on Message { ...SharedParts viewerHasLiked stampCounts { viewerHasStamped } }`,
} as const;

export const subjects = {
  badge: {
    field: 'unread',
    query: UnreadLive.toString(),
    perRound: 1,
    variables: () => ({}),
    prepare: async (scene) => send(scene),
  },
  messages: { ...roomEvents, prepare: async (scene) => send(scene) },
  // What one socket receives at once leaves in one write.
  bursts: { ...roomEvents, perRound: 20, prepare: async (scene) => send(scene) },
  likesByCause: { ...roomEvents, prepare: like },
  likes: { ...withOwnFields, prepare: like },
  stampsByCause: { ...roomEvents, prepare: stamp },
  stamps: { ...withOwnFields, prepare: stamp },
} as const satisfies Record<string, Subject>;

export type SubjectName = keyof typeof subjects;
