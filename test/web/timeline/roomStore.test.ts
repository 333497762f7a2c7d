import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../../web/src/timeline/message.ts';
import type { RoomStore } from '../../../web/src/timeline/roomStore.ts';
import { emptyWindow, type Window } from '../../../web/src/timeline/window.ts';
import { scaled } from '../../support/run/budget.ts';
import { eventually } from '../../support/time/eventually.ts';
import { createServer, type Server } from '../support/roomServer.ts';
import { openStore } from '../support/roomStore.ts';

interface Client {
  readonly store: RoomStore;
  readonly server: Server;
  readonly timers: ReturnType<typeof createTimers>;
}

/** Timers that run when the test says so. */
function createTimers() {
  const due = new Set<() => void>();
  return {
    clock: {
      now: () => 0,
      after(_ms: number, run: () => void) {
        due.add(run);
        return () => due.delete(run);
      },
    },
    /** Returns false if there were none. */
    run(): boolean {
      const runs = [...due];
      due.clear();
      for (const run of runs) run();
      return runs.length > 0;
    },
  };
}

/** One step of a history. Only the requesting step waits for an answer. */
type Step = (client: Client) => unknown;

const where = fc.constantFrom('roots', 'replies');
const end = fc.constantFrom('older', 'newer');

const step = fc.oneof(
  { arbitrary: fc.tuple(where, fc.constantFrom(1, 3, 30)).map(say), weight: 4 },
  { arbitrary: fc.constant<Step>(({ server }) => server.add('roots', 2, 10)), weight: 1 },
  { arbitrary: fc.tuple(where, fc.nat()).map(change), weight: 2 },
  { arbitrary: fc.tuple(where, fc.nat()).map(changeOwn), weight: 3 },
  {
    arbitrary: fc.tuple(where, fc.nat(), fc.constantFrom('aki', 'ben'), fc.boolean()).map(like),
    weight: 6,
  },
  { arbitrary: fc.constant<Step>(({ timers }) => timers.run()), weight: 3 },
  {
    arbitrary: fc.nat({ max: 40 }).map(
      (howMany): Step =>
        ({ server }) =>
          server.sendNext(howMany),
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
  { arbitrary: fc.constant<Step>(({ store }) => void store.toNewest().catch(() => {})), weight: 1 },
);

function say([list, howMany]: ['roots' | 'replies', number]): Step {
  return ({ server }) => server.add(list, howMany);
}

function change([list, index]: ['roots' | 'replies', number]): Step {
  return ({ server }) => server.change(list, index);
}

function like([list, index, by, isCombined]: ['roots' | 'replies', number, 'aki' | 'ben', boolean]): Step {
  // Mostly messages that are on the screen.
  return ({ store, server }) => {
    const ids = windowsOf(store)[list]?.ids ?? [];
    const at = server[list].findIndex(({ id }) => id === ids[index % ids.length]);
    server.like(list, at < 0 ? index : at, { by, isCombined });
  };
}

/** The viewer changes a message on the screen. */
function changeOwn([list, index]: ['roots' | 'replies', number]): Step {
  return ({ store, server }) => {
    const ids = windowsOf(store)[list]?.ids ?? [];
    const id = ids[index % ids.length];
    if (id === undefined) return;
    const patch = (message: Message): Message => ({ ...message, body: 'changed' });
    store.change(id, patch, () => server.changeAs(id)).catch(() => {});
  };
}

/** The computer sleeps, and wakes up later. */
function sleep([list, missed]: ['roots' | 'replies', number]): Step {
  return ({ server }) => {
    server.sendNext(1);
    server.loseConnection();
    server.add(list, missed);
    server.reconnect();
  };
}

function ask([list, to]: ['roots' | 'replies', 'older' | 'newer']): Step {
  return ({ store }) => {
    const timeline = to === 'older' ? store.older : store.newer;
    void (list === 'roots' ? timeline() : to === 'older' ? store.olderReplies() : store.newerReplies());
  };
}

/** Loads several pages, each with all answers. */
function scroll([list, to, pages]: ['roots' | 'replies', 'older' | 'newer', number]): Step {
  return async (client) => {
    for (let page = 0; page < pages; page++) {
      ask([list, to])(client);
      while (await client.server.answer(0));
    }
  };
}

function trim([list, far]: ['roots' | 'replies', 'older' | 'newer']): Step {
  return ({ store }) => (list === 'roots' ? store.trim(far) : store.trimReplies(far));
}

function jump(index: number): Step {
  return ({ store, server }) => {
    const message = server.roots[index % server.roots.length];
    if (message !== undefined) void store.toMessage(message.id);
  };
}

const windowsOf = (store: RoomStore) => {
  const { timeline, thread } = store.get();
  return { roots: timeline, replies: thread?.replies };
};

/** Delivers everything that is in flight. */
async function settled({ server, timers }: Client): Promise<void> {
  server.reconnect();
  let rounds = 0;
  for (let busy = true; busy; ) {
    if (++rounds > 1_000) throw new Error('The client does not stop reading.');
    server.sendNext(10_000);
    busy = (await server.answer(0)) || timers.run();
  }
}

/** The window is a current, contiguous part of the list, and reaches the ends that it claims to reach. */
function expectPart(store: RoomStore, { ids, hasOlder, hasNewer }: Window, list: readonly Message[]): void {
  const from = list.findIndex(({ id }) => id === ids[0]);
  const part = list.slice(from, from + ids.length);
  expect(ids).toEqual(part.map(({ id }) => id));
  if (!hasOlder) expect(from).toBe(0);
  if (!hasNewer) expect(from + ids.length).toBe(list.length);
  const { server, optimistic } = store.get().entities;
  expect(ids.map((id) => server.get(id)?.version)).toEqual(part.map(({ version }) => version));
  expect(ids.map((id) => server.get(id)?.viewerHasLiked)).toEqual(
    part.map(({ viewerHasLiked }) => viewerHasLiked),
  );
  expect(ids.map((id) => optimistic.get(id))).toEqual(ids.map((id) => server.get(id)));
}

it('createRoomStore: has the room read once per opening, after the cursor that its events begin at', async () => {
  const server = createServer(1);
  let readings = 0;
  const store = openStore(server, { onRoomChanged: () => readings++ });
  void store.open();
  expect(readings).toBe(0);
  await server.answer(0);
  expect(readings).toBe(1);
  // From here on, events report changes.
  server.loseConnection();
  server.reconnect();
  expect(readings).toBe(1);
  store.close();
});

it('roomStore: opens the room and its thread again if the server does not know its cursor, as after a restore', async () => {
  const server = createServer(3);
  const store = openStore(server);
  void store.open();
  await server.answer(0);
  void store.openThread(server.thread);
  await server.answer(0);
  const states: string[] = [];
  store.subscribe(() => states.push(store.get().status));
  server.add('roots', 2);
  server.sendNext(2);
  server.restore(3);
  for (let answers = 0; answers < 2; answers++)
    await eventually(async () => expect(await server.answer(0)).toBe(true));
  expect(store.get().status).toBe('ready');
  // The room would be replaced by its preview, without the message box.
  expect(states).not.toContain('absent');
  const { timeline, thread } = store.get();
  expect(timeline.ids).toHaveLength(2);
  expectPart(store, timeline, server.roots);
  expectPart(store, thread?.replies ?? emptyWindow, server.replies);
  server.add('roots', 1);
  server.sendNext(1);
  expectPart(store, store.get().timeline, server.roots);
  store.close();
});

/** Has both panes with what the server has. */
async function expectWhole({ store, server, timers }: Client): Promise<void> {
  await settled({ store, server, timers });
  const { status, timeline, thread } = store.get();
  expect([status, thread?.status]).toEqual(['ready', 'ready']);
  expectPart(store, timeline, server.roots);
  expectPart(store, thread?.replies ?? emptyWindow, server.replies);
  expect(thread?.replies.ids).toHaveLength(server.replies.length);
}

it('roomStore: keeps the thread of a link if the first answer of the room is lost after that of the thread', async () => {
  const server = createServer(3);
  const timers = createTimers();
  const store = openStore(server, timers);
  void store.open();
  void store.openThread(server.thread);
  await server.answer(1);
  await server.answer(0, true);
  expect(store.get().entities.server.size).toBe(1 + server.replies.length);
  // No subscription has it.
  server.add('replies', 1);
  await server.answer(0);
  server.add('replies', 1);
  await expectWhole({ store, server, timers });
  store.close();
});

it.each([
  ['the first answer', 0],
  ['the answer after it', 1],
])('roomStore: has the room and its thread after a restore if %s is lost', async (_, lost) => {
  const server = createServer(3);
  const timers = createTimers();
  const store = openStore(server, timers);
  void store.open();
  await server.answer(0);
  void store.openThread(server.thread);
  await server.answer(0);
  server.add('roots', 2);
  server.sendNext(2);
  server.restore(3);
  // The answer that was requested last, of those in flight, comes first.
  await eventually(async () => expect(await server.answer(1, lost === 0)).toBe(true));
  expect(await server.answer(0, true)).toBe(true);
  await expectWhole({ store, server, timers });
  store.close();
});

it('roomStore: clears the typing users after a reconnect, because stops in between are not sent', async () => {
  const server = createServer(1);
  const store = openStore(server);
  void store.open();
  await server.answer(0);
  server.type(1);
  expect(store.get().typing).toHaveLength(1);
  server.loseConnection();
  server.reconnect();
  expect(store.get().typing).toEqual([]);
  store.close();
});

it('roomStore: reports the first missed message after a long replay, once all of it was received', async () => {
  const server = createServer(1);
  const replayed: string[] = [];
  const store = openStore(server, {
    onReplayed({ id }) {
      replayed.push(id);
      expect(store.get().timeline.ids.at(-1)).toBe(server.roots.at(-1)?.id);
    },
  });
  void store.open();
  await server.answer(0);
  const missed = (howMany: number) => {
    server.loseConnection();
    server.add('roots', howMany);
    server.reconnect();
    server.sendNext(howMany);
  };
  missed(10);
  server.add('roots', 20);
  server.sendNext(20);
  expect(replayed).toEqual([]);
  missed(11);
  expect(replayed).toEqual([server.roots.at(-11)?.id]);
  store.close();
});

it('roomStore: has the viewer’s like after missed events, although a later event is from another user', async () => {
  const server = createServer(1);
  const timers = createTimers();
  const store = openStore(server, timers);
  void store.open();
  await server.answer(0);
  server.loseConnection();
  server.like('roots', 0, { by: 'aki', isCombined: false });
  server.add('replies', 60);
  server.reconnect();
  // It arrives before the messages were read again.
  server.like('roots', 0, { by: 'ben', isCombined: false });
  server.sendNext(1);
  await settled({ store, server, timers });
  const message = store.get().entities.server.get(server.roots[0]?.id ?? '');
  expect([message?.likeCount, message?.viewerHasLiked]).toEqual([2, true]);
  store.close();
});

it('roomStore: shows current messages without gaps or duplicates, in any order of responses and events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const server = createServer(500);
      const timers = createTimers();
      const store = openStore(server, timers);
      const client = { store, server, timers };
      void store.open();
      await server.answer(0);
      void store.openThread(server.thread);
      await server.answer(0);

      for (const take of steps) {
        await take(client);
        for (const window of Object.values(windowsOf(store))) {
          expect(new Set(window?.ids).size).toBe(window?.ids.length);
        }
      }
      await settled(client);
      const { roots, replies } = windowsOf(store);
      expect(store.get().status).toBe('ready');
      expectPart(store, roots, server.roots);
      if (replies !== undefined) expectPart(store, replies, server.replies);
      // Messages outside of all windows are dropped.
      expect(store.get().entities.server.size).toBeLessThanOrEqual(
        roots.ids.length + (replies?.ids.length ?? 0) + 1,
      );
      store.close();
    }),
    { numRuns: scaled(25) },
  );
});
