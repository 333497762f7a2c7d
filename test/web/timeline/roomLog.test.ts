import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../../web/src/timeline/message.ts';
import { createRoomLog, type RoomLog, type RoomLogOptions } from '../../../web/src/timeline/roomLog.ts';
import type { Window } from '../../../web/src/timeline/window.ts';
import { createServer, type Server } from './server.ts';

interface Client {
  readonly log: RoomLog;
  readonly server: Server;
}

/** One step of the random scenario. A step does not wait for responses. */
type Step = (client: Client) => unknown;

const where = fc.constantFrom('roots', 'replies');
const end = fc.constantFrom('older', 'newer');

const step = fc.oneof(
  { arbitrary: fc.tuple(where, fc.constantFrom(1, 3, 30)).map(say), weight: 4 },
  { arbitrary: fc.constant<Step>(({ server }) => server.say('roots', 2, 10)), weight: 1 },
  { arbitrary: fc.tuple(where, fc.nat()).map(change), weight: 2 },
  { arbitrary: fc.tuple(where, fc.nat()).map(changeOwn), weight: 3 },
  {
    arbitrary: fc.nat({ max: 40 }).map(
      (howMany): Step =>
        ({ server }) =>
          server.tellNext(howMany),
    ),
    weight: 4,
  },
  { arbitrary: fc.tuple(where, end).map(ask), weight: 8 },
  { arbitrary: fc.tuple(where, end, fc.nat({ max: 9 })).map(scroll), weight: 4 },
  {
    arbitrary: fc.nat({ max: 3 }).map(
      (which): Step =>
        ({ server }) =>
          server.answer(which),
    ),
    weight: 8,
  },
  {
    arbitrary: fc.nat({ max: 3 }).map(
      (which): Step =>
        ({ server }) =>
          server.answer(which, true),
    ),
    weight: 1,
  },
  { arbitrary: fc.tuple(where, end).map(trim), weight: 3 },
  { arbitrary: fc.constant<Step>(({ server }) => server.loseConnection()), weight: 1 },
  { arbitrary: fc.constant<Step>(({ server }) => server.reconnect()), weight: 2 },
  { arbitrary: fc.tuple(where, fc.constantFrom(5, 60)).map(sleep), weight: 2 },
  { arbitrary: fc.nat().map(jump), weight: 1 },
  { arbitrary: fc.constant<Step>(({ log }) => void log.toNewest().catch(() => {})), weight: 1 },
);

function say([list, howMany]: ['roots' | 'replies', number]): Step {
  return ({ server }) => server.say(list, howMany);
}

function change([list, index]: ['roots' | 'replies', number]): Step {
  return ({ server }) => server.change(list, index);
}

/** The viewer changes a loaded message. */
function changeOwn([list, index]: ['roots' | 'replies', number]): Step {
  return ({ log, server }) => {
    const ids = windowsOf(log)[list]?.ids ?? [];
    const id = ids[index % ids.length];
    if (id === undefined) return;
    const patch = (message: Message): Message => ({ ...message, body: 'changed' });
    log.change(id, patch, () => server.changeAs(id)).catch(() => {});
  };
}

/** The computer sleeps: the connection is lost, and messages are missed. */
function sleep([list, missed]: ['roots' | 'replies', number]): Step {
  return ({ server }) => {
    server.tellNext(1);
    server.loseConnection();
    server.say(list, missed);
    server.reconnect();
  };
}

function ask([list, to]: ['roots' | 'replies', 'older' | 'newer']): Step {
  return ({ log }) => {
    const timeline = to === 'older' ? log.older : log.newer;
    void (list === 'roots' ? timeline() : to === 'older' ? log.olderReplies() : log.newerReplies());
  };
}

/** Requests page after page, and delivers every response. */
function scroll([list, to, pages]: ['roots' | 'replies', 'older' | 'newer', number]): Step {
  return async (client) => {
    for (let page = 0; page < pages; page++) {
      ask([list, to])(client);
      while (await client.server.answer(0));
    }
  };
}

function trim([list, far]: ['roots' | 'replies', 'older' | 'newer']): Step {
  return ({ log }) => (list === 'roots' ? log.trim(far) : log.trimReplies(far));
}

function jump(index: number): Step {
  return ({ log, server }) => {
    const message = server.roots[index % server.roots.length];
    if (message !== undefined) void log.toMessage(message.id);
  };
}

const windowsOf = (log: RoomLog) => {
  const { timeline, thread } = log.get();
  return { roots: timeline, replies: thread?.replies };
};

/** Delivers all events and responses in flight. */
async function settled({ server }: Client): Promise<void> {
  server.reconnect();
  for (let busy = true; busy; ) {
    server.tellNext(10_000);
    busy = await server.answer(0);
  }
}

/** Expects the window to be a part of the list: current versions, no gaps, and complete at the ends that it claims. */
function expectPart(log: RoomLog, { ids, hasOlder, hasNewer }: Window, list: readonly Message[]): void {
  const from = list.findIndex(({ id }) => id === ids[0]);
  const part = list.slice(from, from + ids.length);
  expect(ids).toEqual(part.map(({ id }) => id));
  if (!hasOlder) expect(from).toBe(0);
  if (!hasNewer) expect(from + ids.length).toBe(list.length);
  const { told, shown } = log.get().entities;
  expect(ids.map((id) => told.get(id)?.version)).toEqual(part.map(({ version }) => version));
  expect(ids.map((id) => shown.get(id))).toEqual(ids.map((id) => told.get(id)));
}

const openLog = ({ api }: Server, listeners: Partial<RoomLogOptions> = {}) =>
  createRoomLog({
    ...{ api, roomId: 'room', viewerId: 'aki' },
    onReplayed: () => {},
    onOpened: () => {},
    onAdded: () => {},
    onRoomChanged: () => {},
    onMember: () => {},
    onMissed: () => {},
    ...listeners,
  });

it('roomStore: has the room read again once its events start, because its name may be stale', async () => {
  const server = createServer(1);
  let readings = 0;
  const log = openLog(server, { onRoomChanged: () => readings++ });
  void log.open();
  expect(readings).toBe(0);
  await server.answer(0);
  expect(readings).toBe(1);
  // From here on, events deliver all changes.
  server.loseConnection();
  server.reconnect();
  expect(readings).toBe(1);
  log.close();
});

it('roomStore: clears the typing users after a reconnect, because stops in between are not sent', async () => {
  const server = createServer(1);
  const log = openLog(server);
  void log.open();
  await server.answer(0);
  server.type(1);
  expect(log.get().typing).toHaveLength(1);
  server.loseConnection();
  server.reconnect();
  expect(log.get().typing).toEqual([]);
  log.close();
});

it('roomStore: reports the first missed message after a long replay, once all of it was received', async () => {
  const server = createServer(1);
  const replayed: string[] = [];
  const log = openLog(server, {
    onReplayed({ id }) {
      replayed.push(id);
      expect(log.get().timeline.ids.at(-1)).toBe(server.roots.at(-1)?.id);
    },
  });
  void log.open();
  await server.answer(0);
  const missed = (howMany: number) => {
    server.loseConnection();
    server.say('roots', howMany);
    server.reconnect();
    server.tellNext(howMany);
  };
  missed(10);
  server.say('roots', 20);
  server.tellNext(20);
  expect(replayed).toEqual([]);
  missed(11);
  expect(replayed).toEqual([server.roots.at(-11)?.id]);
  log.close();
});

it('roomStore: shows current messages without gaps or duplicates, in any order of responses and events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const server = createServer(500);
      const log = openLog(server);
      const client = { log, server };
      void log.open();
      await server.answer(0);
      void log.openThread(server.thread);
      await server.answer(0);

      for (const take of steps) {
        await take(client);
        for (const window of Object.values(windowsOf(log))) {
          expect(new Set(window?.ids).size).toBe(window?.ids.length);
        }
      }
      await settled(client);
      const { roots, replies } = windowsOf(log);
      expect(log.get().status).toBe('ready');
      expectPart(log, roots, server.roots);
      if (replies !== undefined) expectPart(log, replies, server.replies);
      // Messages outside the windows are not kept.
      expect(log.get().entities.told.size).toBeLessThanOrEqual(
        roots.ids.length + (replies?.ids.length ?? 0) + 1,
      );
      log.close();
    }),
    { numRuns: 100 },
  );
});
