import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WholeMessageFragment } from '../generated/graphql.ts';
import { type BadgeState, ofRooms, queryBadge, shows } from '../support/clients/badges.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { createStreamGate, type StreamGate } from '../support/stream/streamGate.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';
import { ExplainUnread } from '../unread/support/operations.ts';
import { recount } from '../verify/support/recount.ts';
import { connect } from './support/model/clients.ts';
import { commands } from './support/model/commands.ts';
import { type Model, newModel, seenBy, unreadIn } from './support/model/model.ts';
import { type Real, type Server, settled, startReal, startServer } from './support/model/real.ts';
import { readRoom } from './support/model/view.ts';

const PEOPLE = 4;
const ROOMS = 2;
const { numRuns, timeout, within } = budget({ runs: 10, seconds: 1.5 });

/** The message in the form of `seenBy`. */
const plain = (message: WholeMessageFragment) => ({
  id: message.id,
  body: message.body,
  author: message.author.handle,
  root: message.root?.id ?? null,
  position: message.position,
  edited: message.editedAt !== null,
  deleted: message.deletedAt !== null,
  replyCount: message.replyCount,
  mentions: message.mentions.map(({ handle }) => handle),
  likeCount: message.likeCount,
  liked: message.viewerHasLiked,
  stamps: message.stampCounts
    .map(({ stamp, count, viewerHasStamped }) => ({ key: stamp.key, count, own: viewerHasStamped }))
    .sort((a, b) => (a.key < b.key ? -1 : 1)),
});

/** Every member sees the room that the model has, and every view shows what a new query returns. */
async function compareRooms(model: Model, real: Real): Promise<void> {
  for (const [room, { name, messages, members }] of model.rooms.entries()) {
    const roomId = real.rooms[room] ?? '';
    for (const [person, { role }] of members) {
      const fresh = await readRoom(real.person(person), roomId);
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      expect(Object.values(fresh.messages).map(plain).sort(byId)).toEqual(
        messages
          .map((message) =>
            seenBy(model.rooms[room] ?? { roots: [] }, message, { person, handles: real.handles }),
          )
          .sort(byId),
      );
      expect(fresh.name).toBe(name);
      expect(fresh.memberCount).toBe(members.size);
      expect(fresh.members[real.handles[person] ?? '']).toBe(role);
      const view = real.views.get(`${person} ${room}`)?.view;
      if (view?.connected === false) await view.resume(real.person(person));
      await view?.shows(fresh);
    }
  }
}

/** explainUnread returns the messages that unreadCount counts: the first fifty unread roots, by position. */
async function compareExplained({ rooms }: Model, real: Real): Promise<void> {
  for (const [i, room] of rooms.entries()) {
    for (const [person, { read }] of room.members) {
      const explained = await real.person(person).do(ExplainUnread, { roomId: real.rooms[i] ?? '' });
      expect(explained.room?.explainUnread.map(({ id }) => id)).toEqual(
        room.roots.slice(read, read + 50).map(({ id }) => id),
      );
    }
  }
}

function expectedBadge({ rooms }: Model, real: Real, person: number): BadgeState {
  let total = 0;
  const counts: Record<string, number> = {};
  for (const [i, room] of rooms.entries()) {
    const count = unreadIn(room, person);
    if (count === 0) continue;
    counts[real.rooms[i] ?? ''] = count;
    if (room.members.get(person)?.muted === false) total += count;
  }
  return { total, notifications: 0, rooms: counts };
}

/** Runs the commands, then compares everything that users see with the model. */
async function holds(server: Server, gate: StreamGate): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      commands(PEOPLE, ROOMS),
      within(async (steps) => {
        const model = newModel(ROOMS);
        const real = await startReal(server, gate, ROOMS);
        try {
          for (const room of model.rooms.keys()) await connect({ person: 0, room }).run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), steps);
          gate.open();
          await settled(real);
          await compareRooms(model, real);
          for (let person = 0; person < PEOPLE; person++) {
            const badge = await queryBadge(real.person(person));
            const { total, rooms } = expectedBadge(model, real, person);
            expect(badge.rooms).toEqual(rooms);
            // At most all notifications are mentions whose roots are counted.
            expect(badge.total).toBeGreaterThanOrEqual(total);
            expect(badge.total).toBeLessThanOrEqual(total + badge.notifications);
          }
          await shows(real.badge, ofRooms(expectedBadge(model, real, 0)), ofRooms);
          await compareExplained(model, real);
          expect(await recount(real.dynamo)).toEqual([]);
        } finally {
          gate.open();
          await real.close();
        }
      }),
    ),
    // Shrinking is of no use: a race does not repeat when fewer commands run again.
    { numRuns, endOnFailure: true },
  );
}

test(`room model: views kept by events equal a new query, and both follow the rules (seed ${seed})`, {
  timeout,
}, async () => {
  const gate = createStreamGate();
  const server = await startServer({ wrapDispatcher: gate.wrapDispatcher });
  try {
    await holds(server, gate);
  } finally {
    await server.stop();
  }
});

test(`room model: the same when the stream repeats itself and batches are cut short (seed ${seed})`, {
  timeout,
}, async () => {
  const gate = createStreamGate();
  const repeats = createStreamRepeats(seed);
  const server = await startServer({
    wrapDispatcher: (dispatcher) => gate.wrapDispatcher(repeats(dispatcher)),
  });
  try {
    await holds(server, gate);
  } finally {
    await server.stop();
  }
});
