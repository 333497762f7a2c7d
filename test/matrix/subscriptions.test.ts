/** Who × every subscription × how the room is: when it is opened, and at everything that happens after that. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/core/ids.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { encodeCursor } from '../../src/graphql/connections.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { itemsIn } from '../support/table.ts';
import { tokenFor } from '../support/tokens.ts';
import { clientsOf, refusesNobody } from './clients.ts';
import { goneFrom, hear, isA, lobbyOf, type Named, wrongOf } from './hearing.ts';
import type { Seen } from './judge.ts';
import {
  type Cell,
  opening,
  type Position,
  positionOf,
  STATES,
  type State,
  SUBSCRIPTIONS,
  type Who,
} from './oracle.ts';
import { globalUser } from './scene.ts';
import { rowsOf } from './schema.ts';
import { TELLING } from './table.ts';
import { everythingOf, forbiddenOf, wrongWith } from './telling.ts';
import { type Answer, overWebSocket } from './transports.ts';
import { castOf, createWorlds, secretsFrom, variablesOf, type World } from './world.ts';

let app: TestApp;
let worlds: Readonly<Record<State, World>>;
beforeAll(async () => {
  app = await startTestApp();
  worlds = await createWorlds(app, 3);
});
afterAll(() => app?.stop());

const seen: Seen = new Set();

/** What it is refused with, and where: an error of something beneath it would be no refusal. */
const refusalOf = ({ errors }: Answer): string =>
  errors.map(({ extensions, path }) => `${extensions?.code} at ${path}`).join(', ');

describe.each(STATES)('of a room that is %s, opened', (state) => {
  test.each(castOf(state))('by %s', async (who: Who) => {
    const cell: Cell = { who, state };
    const position = positionOf(cell) as Position;
    const world = worlds[state];
    const clients = await clientsOf(app.url, world, who);
    const variables = variablesOf(world, who);
    const wrong: string[] = [];
    for (const subscription of SUBSCRIPTIONS) {
      const outcome = opening(subscription, cell);
      const telling = { subscription, cell, as: outcome === 'ok' ? position : ('seen' as const) };
      const document = everythingOf(telling);
      const say = (transport: string, what: string) =>
        wrong.push(`${who} × Subscription.${subscription} × ${state} × ${transport}: ${what}`);
      const leak = (transport: string, { text }: Answer) => {
        const told = secretsFrom(world, position).filter((secret) => text.includes(secret));
        for (const secret of told) say(transport, `tells “${secret}”`);
      };

      // Subscriptions are for websockets: over HTTP nobody gets anything of them.
      const overHttp = await clients.HTTP.ask(document, variables);
      if (overHttp.data !== null || overHttp.errors.length === 0) say('HTTP', `got ${overHttp.text}`);
      leak('HTTP', overHttp);

      const listening = clients.websocket.listen(document, variables);
      // Who has nothing unread is told nothing at first: it only has not been refused by then.
      if (outcome === 'ok' && subscription === 'notificationChanged') {
        await clients.websocket.ask('{ viewer { id } }', {});
        for (const answer of listening.answers) leak('websocket', answer);
        if (listening.answers.some(({ errors }) => errors.length > 0)) say('websocket', 'it is refused');
        listening.close();
        continue;
      }
      const first = await listening.first();
      leak('websocket', first);
      if (position === 'nobody') {
        const got = refusesNobody(first);
        if (got !== null) say('websocket', `expected UNAUTHENTICATED, got ${got}`);
      } else if (outcome !== 'ok') {
        if (refusalOf(first) !== `${outcome} at ${subscription}` || first.data !== null)
          say('websocket', `expected ${outcome}, got ${first.text}`);
        if (position === 'unseen') {
          const nowhere = await clients.websocket.ask(document, variablesOf(world, who, { nowhere: true }));
          if (nowhere.text !== first.text) say('websocket', 'not as of a room that there never was');
        }
      } else {
        for (const one of wrongWith(first, telling, seen, globalUser(world.players[who]))) {
          say('websocket', `${one.what}: expected ${one.expected}, got ${one.got}`);
        }
      }
      listening.close();

      const beneath = outcome === 'ok' && subscription === 'roomEvents' ? forbiddenOf(telling) : null;
      if (beneath === null) continue;
      const forbidden = clients.websocket.listen(beneath, variables);
      const answer = await forbidden.first();
      const good =
        answer.data === null && answer.errors.every(({ extensions }) => extensions?.code === 'FORBIDDEN');
      if (!good || answer.errors.length === 0)
        say('websocket', `expected FORBIDDEN beneath, got ${answer.text}`);
      forbidden.close();
    }
    await clients.websocket.close();
    expect(wrong).toEqual([]);
  });
});

describe.each(STATES)('of a room that is %s, open', (state) => {
  test('tells who is there all that happens, and nobody else anything', async () => {
    const { rooms, messages, likes } = app.services;
    const world = worlds[state];
    const { room, players, words, spares } = world;
    const { owner, member } = players;
    const root = await messages.send({ room, author: member.id, body: words.body });
    // They follow the thread, and will be told of it for as long as they are there.
    for (const { id } of spares) await messages.send({ room, author: id, body: words.body, replyTo: root });

    const signedIn = castOf(state).filter((who) => positionOf({ who, state }) !== 'nobody');
    const people: Named[] = signedIn.map((who) => ({ name: who, who, player: players[who] }));
    const goers: Named[] = spares.map((player, i) => ({ name: `goer ${i}`, who: 'member', player }));
    if (state === 'direct') goers.push({ name: 'goer', who: 'member', player: member });
    const stayers = people.filter(({ player }) => !goers.some((goer) => goer.player === player));
    const callAll = await lobbyOf(
      app,
      [...stayers, ...goers].map(({ player }) => player),
    );
    const hearers = [...stayers, ...goers].map((one) => hear(app, world, one));
    const inside = hearers.filter(({ heard }) => 'roomEvents' in heard);
    const gone = hearers.slice(stayers.length);
    const soon = await tokenFor(owner.handle, '3 seconds');
    const expiring = hear(app, world, { name: 'expiring', who: 'owner', player: { ...owner, token: soon } });
    await Promise.all(inside.map(({ heard }) => heard.roomEvents?.until(isA('Synced'))));

    // Something of each kind.
    const other = await messages.send({ room, author: member.id, body: words.body });
    await likes.like(owner.id, other);
    await rooms.update(owner.id, room, { topic: words.topic }).catch(() => {});
    app.services.typing.set({ room, user: owner.id, removals: 100 }, true);
    const kinds = ['MessageAdded', 'MessageChanged', ...(state === 'direct' ? [] : ['RoomChanged'])];
    for (const kind of kinds)
      await Promise.all(inside.map(({ heard }) => heard.roomEvents?.until(isA(kind))));
    const typed = inside.filter(({ player }) => player !== owner);
    await Promise.all(typed.map(({ heard }) => heard.roomEvents?.until(isA('TypingChanged'))));
    const ofMember = hearers.find(({ player }) => player === member)?.heard.notificationChanged;
    await ofMember?.until(({ text }) => text.includes('"LIKE"'));
    await likes.unlike(owner.id, other);
    await ofMember?.until(({ text }) => /"removedId":"/.test(text));

    // They go: each in another way, and hear that it is over.
    const [leaving, removed, banned] = gone.map(({ player }) => player.id);
    if (leaving !== undefined) await rooms.leave(leaving, room);
    if (removed !== undefined) await rooms.remove({ by: owner.id, room, user: removed });
    if (banned !== undefined) await rooms.ban({ by: owner.id, room, user: banned });
    await Promise.all(gone.map(({ heard }) => heard.roomEvents?.ended()));
    const since = new Map(
      await Promise.all(gone.map(async (one) => [one, await goneFrom(world, one)] as const)),
    );
    await Promise.all(Object.values(expiring.heard).map((listening) => listening.ended()));

    // What happens now is for those who stayed.
    const secret = newSecret();
    const called = gone.map(({ player }) => `@${player.handle}`).join(' ');
    await messages.send({ room, author: owner.id, body: `${called} ${secret}` });
    await messages.send({ room, author: owner.id, body: secret, replyTo: root });
    const staying = inside.filter((one) => !gone.includes(one));
    await Promise.all(
      staying.map(({ heard }) => heard.roomEvents?.until((answer) => answer.text.includes(secret))),
    );
    const call = await callAll();
    const isCall = ({ text }: Answer) => text.includes(call);
    await Promise.all(hearers.map(({ heard }) => heard.notificationChanged?.until(isCall)));

    const heard = { secret, gone: since, isCall, seen };
    expect([...hearers, expiring].flatMap((hearer) => wrongOf(world, hearer, heard))).toEqual([]);
    await forgetLog(room);
    const late = overWebSocket(app.url, owner.token);
    const cell: Cell = { who: 'owner', state };
    const after = encodeCursor({ list: `events:${room}`, position: /^\d{16}$/ }, toTimestamp(0));
    const telling = { subscription: 'roomEvents', cell, as: positionOf(cell), after };
    const again = late.listen(everythingOf(telling), variablesOf(world, 'owner'));
    const resync = await again.until(isA('ResyncRequired'));
    expect(wrongWith(resync, telling, seen, globalUser(owner))).toEqual([]);
    await Promise.all([late, expiring, ...hearers].map((one) => one.close()));
  });
});

/** As if it were a month old. */
async function forgetLog(room: string): Promise<void> {
  const items = await itemsIn(app.dynamo, ranges.log(room, 1, 1_000));
  await app.dynamo.transact(items.map(({ sk }) => ({ delete: keys.log(room, Number(sk)) })));
}

test('somebody has been told a value of all that subscriptions tell', () => {
  expect(rowsOf(TELLING).filter((row) => !seen.has(row))).toEqual([]);
});
