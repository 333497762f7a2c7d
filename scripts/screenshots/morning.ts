import { defined } from '../../src/core/defined.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Services } from '../../src/graphql/context.ts';
import type { Message } from '../../src/messages/message.ts';
import { roomOf } from '../../src/rooms/room.ts';

export interface MorningOptions {
  readonly services: Services;
  readonly dynamo: Dynamo;
  /** Advances the clock by this many minutes. */
  readonly pass: (minutes: number) => void;
}

/** What the demo users do in the pictures, after the demo data. The pictures show Aki's view, who is away. */
export async function morning({ services, dynamo, pass }: MorningOptions): Promise<void> {
  const { users, rooms, roomQueries, messages, stamps, likes } = services;
  const people = ['aki', 'ben', 'chie', 'dana'];
  const [aki = '', ben = '', chie = '', dana = ''] = await Promise.all(
    people.map((handle) => users.ensure({ sub: handle, handle })),
  );

  const page = { limit: 50, direction: 'forward', from: undefined } as const;
  const roomNames = new Map<string, string>();
  for (const { room } of (await roomQueries.memberships(aki, page)).nodes) {
    const item = await dynamo.get(keys.room(room));
    if (item !== undefined) roomNames.set(roomOf(room, item).name, room);
  }
  const roomNamed = (name: string): string => found(roomNames.get(name), `room ${name}`);
  const lobby = roomNamed('Lobby');
  const roots = (await messages.roots(lobby, page)).nodes;
  const saying = (text: string): Message =>
    found(
      roots.find(({ body }) => body?.includes(text)),
      `message "${text}"`,
    );
  const say = (author: string, room: string, body: string, replyTo?: Message) =>
    messages.send({ author, room, body, ...defined({ replyTo }) });

  const release = saying('release go out');
  const lunch = saying('lunch with the Osaka');
  const welcome = saying('New here');
  await stamps.add(chie, welcome, 'wave');
  await stamps.add(ben, lunch, 'onigiri');
  await stamps.add(chie, lunch, 'onigiri');
  await stamps.add(dana, lunch, 'maneki-neko');

  pass(9);
  await say(dana, lobby, 'Congratulations! Is there a list of what is new?', release);
  await say(chie, lobby, 'It is in the changelog, *Added* first.', release);
  const friends = await rooms.openDirect(ben, [aki, dana]);
  await say(ben, friends.id, 'Cinema on Friday?');
  await say(aki, friends.id, 'With pleasure.');

  pass(6);
  const staging = await say(
    ben,
    lobby,
    '@aki the new build is **on staging**. Could you look at `unread` once more?',
  );
  await stamps.add(chie, staging, 'rocket');
  await stamps.add(dana, staging, 'rocket');
  await stamps.add(dana, staging, 'sparkles');
  for (const person of [dana, ben, chie]) await likes.add(person, saying('kettle'));
  await say(chie, roomNamed('Engineering'), 'The dashboards moved, see the topic.');
  await say(ben, roomNamed('Engineering'), 'Found them, thank you.');
  await say(ben, roomNamed('Tea'), 'And there are dorayaki.');

  pass(8);
  await say(
    chie,
    lobby,
    'For today, then:\n1. release at **14:00**\n2. look at the `lag` afterwards\n3. tea',
  );
  const alone = await rooms.openDirect(chie, [aki]);
  await say(chie, alone.id, 'Have you got ten minutes before lunch?');
}

function found<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw new Error(`The demo has no ${name}.`);
  return thing;
}
