import { WholeEvents } from '../../../roomEvents/support/model/operations.ts';
import { readRoom } from '../../../roomEvents/support/model/view.ts';
import type { TestClient } from '../../../support/clients/client.ts';

type Messages = Awaited<ReturnType<typeof readRoom>>['messages'];

/** A client that shows a room by its events, with its last cursor again whenever its server is gone. */
export interface Follower {
  readonly messages: Messages;
  /** How often it opened its subscription again, and how often it had to read the room again. */
  readonly figures: { readonly resumed: number; readonly resyncs: number };
  /** Versions of messages that arrived more than once or too late. Empty if nothing is wrong. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export interface FollowerOptions {
  readonly roomId: string;
  /** A client of a server that serves now. */
  readonly client: () => Promise<TestClient>;
}

export async function startFollower({ roomId, client }: FollowerOptions): Promise<Follower> {
  let reader = await client();
  const first = await readRoom(reader, roomId);
  let messages: Messages = first.messages;
  let { cursor } = first;
  let isOver = false;
  const figures = { resumed: 0, resyncs: 0 };
  const faults: string[] = [];
  const added = new Set<string>();
  let live = reader.subscribe(WholeEvents, { roomId, after: cursor });

  async function take(): Promise<void> {
    const { roomEvents: event } = await live.next({ patienceMs: FOREVER_MS });
    if (event.__typename === 'ResyncRequired') {
      figures.resyncs++;
      messages = (await readRoom(reader, roomId)).messages;
    } else if (event.__typename === 'MessageAdded' || event.__typename === 'MessageChanged') {
      const { message } = event;
      const known = messages[message.id];
      if (event.__typename === 'MessageChanged') {
        if (known === undefined) faults.push(`${message.id} was changed and never added`);
      } else if (added.has(message.id)) faults.push(`${message.id} was added again`);
      else added.add(message.id);
      if (known === undefined || known.version < message.version)
        messages = { ...messages, [message.id]: message };
    }
    cursor = event.cursor;
  }

  async function follow(): Promise<void> {
    while (!isOver) {
      try {
        await take();
      } catch {
        if (isOver) return;
        live.close();
        figures.resumed++;
        // Its server may need a moment to be there again.
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        reader = await client();
        live = reader.subscribe(WholeEvents, { roomId, after: cursor });
      }
    }
  }
  const following = follow();

  return {
    figures,
    faults,
    get messages() {
      return messages;
    },
    async stop() {
      isOver = true;
      live.close();
      await following;
    },
  };
}

/** It waits for events as long as the test runs. */
const FOREVER_MS = 3_600_000;
const AGAIN_MS = 100;
