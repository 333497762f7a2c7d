/** Those who listen while things happen in a room, and what is wrong with what they have heard. */
import { encodeId } from '../../src/graphql/ids.ts';
import type { TestApp } from '../support/app.ts';
import type { Seen } from './judge.ts';
import { type Cell, opening, type Position, positionOf, SUBSCRIPTIONS, type Who } from './oracle.ts';
import { globalUser, messageId, type Player, playerNamed } from './scene.ts';
import { eventIn, everythingOf, wrongWith } from './telling.ts';
import { type Answer, type Listening, overWebSocket } from './transports.ts';
import { secretsFrom, variablesOf, type World } from './world.ts';

/** Somebody who hears, of all three, what they may. */
export interface Hearer {
  readonly name: string;
  readonly player: Player;
  readonly cell: Cell;
  readonly heard: Readonly<Record<string, Listening>>;
  close(): Promise<void>;
}

export interface Named {
  readonly name: string;
  readonly player: Player;
  readonly who: Who;
}

export function hear(app: TestApp, world: World, { name, player, who }: Named): Hearer {
  const cell: Cell = { who, state: world.state };
  const socket = overWebSocket(app.url, player.token);
  const variables = variablesOf(world, who);
  const open = SUBSCRIPTIONS.filter((subscription) => opening(subscription, cell) === 'ok');
  const heard = open.map((subscription) => {
    const document = everythingOf({ subscription, cell, as: positionOf(cell) });
    return [subscription, socket.listen(document, variables)] as const;
  });
  return { name, player, cell, heard: Object.fromEntries(heard), close: () => socket.close() };
}

export const isA = (type: string) => (answer: Answer) => eventIn(answer)?.__typename === type;

/** A private room in which the hearers are, so that each hears something when the rest is over. */
export async function lobbyOf(app: TestApp, others: readonly Player[]) {
  const { rooms, messages } = app.services;
  const host = await playerNamed(app, 'host');
  const name = { name: 'Lobby', topic: null, visibility: 'PRIVATE', capacity: null } as const;
  const { id: room } = await rooms.create(host.id, name);
  for (const { id: user } of others) await rooms.add({ by: host.id, room, user });
  const everybody = others.map(({ handle }) => `@${handle}`).join(' ');
  /** Resolves to the id of what they are told of. */
  return async () => messageId(await messages.send({ room, author: host.id, body: everybody }));
}

/** Resolves when somebody has heard that they are in the room no more, to what they will be told from then on. */
export async function goneFrom(world: World, { heard }: Hearer): Promise<Since> {
  const room = encodeId('Room', world.room);
  const isOut = ({ text }: Answer) => text.includes(`"removedRoomIds":["${room}"`);
  const out = await heard.unread?.until(isOut);
  return {
    unread: out === undefined ? 0 : (heard.unread?.answers.indexOf(out) ?? 0),
    notificationChanged: heard.notificationChanged?.answers.length ?? 0,
  };
}

/** By subscription, how many answers had come before somebody was gone. */
type Since = Readonly<Record<string, number>>;

export interface Heard {
  /** Said after they had gone. */
  readonly secret: string;
  readonly gone: ReadonlyMap<Hearer, Since>;
  /** What came of another room. */
  readonly isCall: (answer: Answer) => boolean;
  readonly seen: Seen;
}

/** What somebody has heard that they should not have, or not so. */
export function wrongOf(world: World, hearer: Hearer, { secret, gone, isCall, seen }: Heard): string[] {
  const { name, player, cell, heard } = hearer;
  const position = positionOf(cell) as Position;
  const isGone = gone.has(hearer) || name === 'expiring';
  const secrets = [...secretsFrom(world, position), ...(isGone || !('roomEvents' in heard) ? [secret] : [])];
  const { name: roomName, body } = world.words;
  // The last is how the ids of its messages begin: its length, with the room's id, is a multiple of three bytes.
  const ofRoom = [encodeId('Room', world.room), roomName, body, encodeId('Message', world.room)];
  return Object.entries(heard).flatMap(([subscription, { answers }]) => {
    const since = gone.get(hearer)?.[subscription] ?? Number.POSITIVE_INFINITY;
    return answers.flatMap((answer, i) => {
      const at = `${name} × Subscription.${subscription} × ${world.state} × websocket`;
      const untold = i < since ? secrets : [...secrets, ...ofRoom];
      // But for the one thing that they are to be told of it.
      const text = answer.text.replace(/"removedRoomIds":\[.*?\]/, '');
      const leaks = untold.filter((one) => text.includes(one)).map((one) => `${at}: tells “${one}”`);
      if (answer.closed !== undefined)
        return answer.closed === 4403 ? leaks : [...leaks, `${at}: closed with ${answer.closed}`];
      // What they may see changes when they go; what they have been told by then is as it was.
      if (isCall(answer) || (isGone && subscription === 'notificationChanged')) return leaks;
      // An event that met their going is refused.
      if (isGone && answer.data === null) return leaks;
      const telling = { subscription, cell, as: position };
      const wrong = wrongWith(answer, telling, seen, globalUser(player));
      return [
        ...leaks,
        ...wrong.map(({ what, expected, got }) => `${at}: ${what}: expected ${expected}, got ${got}`),
      ];
    });
  });
}
