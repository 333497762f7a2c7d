import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { defined } from '../../../../src/core/defined.ts';
import { newId } from '../../../../src/core/ids.ts';
import { EditMessage, MessageById } from '../../../messages/support/operations.ts';
import { LikeMessage, UnlikeMessage } from '../../../reactions/likes/support/operations.ts';
import { AddStamp } from '../../../reactions/stamps/support/operations.ts';
import { CancelScheduled, Schedule, ScheduledMessages } from '../../../scheduled/support/operations.ts';
import type { TestClient } from '../../../support/clients/client.ts';
import {
  JoinRoom,
  LeaveRoom,
  MarkRoomRead,
  SendMessage,
  Timeline,
} from '../../../support/clients/operations.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { createKeeping } from './keeping.ts';
import type { Request, Told } from './told.ts';

export interface CrowdOptions {
  readonly users: readonly Told[];
  readonly roomId: string;
  /** Users join and leave it. */
  readonly sideId: string;
  /** The handle of a user who does nothing. */
  readonly mentioned: string;
  readonly random: () => number;
  /** A client of the user at one of the servers that serve now. */
  readonly clientOf: (user: Told) => Promise<TestClient>;
  readonly onFault: (what: string) => void;
}

const LONG = 'あ'.repeat(500);
/** From one minute on. A request may be repeated for as long as a server needs to start. */
const AHEAD_MS = 90_000;
/** Between two requests of a user, so that other processes get a part of the machine. */
const PAUSE_MS = 40;
const AGAIN_MS = 50;

/** Clients that do random things until they are stopped. Each request is repeated until it is answered. */
export function startCrowd({ users, roomId, sideId, mentioned, random, ...options }: CrowdOptions) {
  const { clientOf, onFault } = options;
  let isOver = false;
  let acts = 0;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const messages = () => users.flatMap(({ sent }) => [...sent.keys()]);

  const request: Request = async (user, document, variables, allowed = []) => {
    const answer = await eventually(async () => {
      const client = await clientOf(user);
      const found = await client.send(document, variables);
      const code = found.errors?.[0]?.extensions?.code;
      if (code === 'UNAVAILABLE') throw new Error('Not available.');
      return found;
    }, AGAIN_MS);
    const code = answer.errors?.[0]?.extensions?.code;
    if (code !== undefined && !allowed.includes(code)) onFault(JSON.stringify(answer.errors));
    return answer.errors === undefined && answer.data != null ? answer.data : undefined;
  };
  const keeping = createKeeping({ request, random, onFault, anyMessage: () => pick(messages()) });

  async function readsBack(user: Told, messageId: string): Promise<void> {
    const data = await request(user, MessageById, { id: messageId });
    const body = data?.node != null && 'body' in data.node ? data.node.body : undefined;
    if (body !== user.sent.get(messageId))
      onFault(`${user.handle} reads ${body?.slice(0, 40)} and has written ${user.sent.get(messageId)}`);
  }

  let number = 0;
  const text = () => {
    const isMention = random() < 0.2;
    return `${++number} of ${newId().slice(0, 6)}${isMention ? ` for @${mentioned}` : ''}${random() < 0.25 ? ` ${LONG}` : ''}`;
  };

  async function send(user: Told): Promise<void> {
    const replyTo = random() < 0.25 ? pick(messages()) : undefined;
    const body = text();
    const from = Date.now();
    const input = { roomId, body, idempotencyKey: newId(), ...defined({ replyTo }) };
    const data = await request(user, SendMessage, { input });
    const id = data?.sendMessage?.message.id;
    if (id === undefined) return;
    user.sent.set(id, body);
    if (replyTo !== undefined) user.replied.set(id, { from, until: Date.now() });
    await readsBack(user, id);
  }

  async function edit(user: Told): Promise<void> {
    const id = pick([...user.sent.keys()]);
    if (id === undefined) return;
    // The mention stays, so that the number of notifications is known.
    const mention = user.sent.get(id)?.includes(`@${mentioned}`) === true ? ` for @${mentioned}` : '';
    const body = `${++number} edited${mention}${random() < 0.25 ? ` ${LONG}` : ''}`;
    if ((await request(user, EditMessage, { messageId: id, body })) === undefined) return;
    user.sent.set(id, body);
    await readsBack(user, id);
  }

  async function like(user: Told): Promise<void> {
    const id = pick(messages());
    if (id === undefined) return;
    const document = user.liked.has(id) && random() < 0.5 ? UnlikeMessage : LikeMessage;
    const variables = { messageId: id };
    if (document === LikeMessage) {
      if ((await request(user, LikeMessage, variables)) !== undefined) user.liked.add(id);
    } else if ((await request(user, UnlikeMessage, variables)) !== undefined) user.liked.delete(id);
  }

  async function stamp(user: Told): Promise<void> {
    const id = pick(messages());
    if (id === undefined) return;
    // The same stamp again is refused, also if the first answer was lost.
    await request(user, AddStamp, { messageId: id, stamp: '🎉' }, ['CONFLICT']);
    user.stamped.add(id);
  }

  async function read(user: Told): Promise<void> {
    const id = pick(messages());
    if (id === undefined) return;
    if ((await request(user, MarkRoomRead, { input: { roomId, upTo: id } })) !== undefined)
      user.read.push(id);
  }

  async function move(user: Told): Promise<void> {
    const variables = { roomId: sideId };
    if (!user.inSide) {
      await request(user, JoinRoom, variables, ['ALREADY_MEMBER']);
      user.inSide = true;
      return;
    }
    await request(user, LeaveRoom, variables, ['FORBIDDEN', 'NOT_FOUND']);
    user.inSide = false;
    // From the answer on, nothing of the room is shown.
    const data = await request(user, Timeline, { roomId: sideId, last: 5 }, ['FORBIDDEN']);
    if (data?.room != null) onFault(`${user.handle} still reads a room after leaving it.`);
  }

  async function schedule(user: Told): Promise<void> {
    const body = `later ${newId()}`;
    const sendAt = new Date(Date.now() + AHEAD_MS).toISOString();
    const input = { roomId, body, sendAt, idempotencyKey: newId() };
    user.scheduled.set(body, false);
    if ((await request(user, Schedule, { input }, ['BAD_USER_INPUT', 'CONFLICT'])) !== undefined)
      user.scheduled.set(body, true);
  }

  /** So that nothing changes any more. */
  async function cancelAll(user: Told): Promise<void> {
    const found = await request(user, ScheduledMessages, { first: 100 });
    for (const { node } of found?.viewer.scheduledMessages.edges ?? []) {
      const data = await request(user, CancelScheduled, { id: node.id }, ['NOT_FOUND', 'CONFLICT']);
      // It may have been sent, or the answer to the first request was lost.
      if (data?.cancelScheduledMessage?.cancelled == null) user.scheduled.set(node.body, false);
      else user.scheduled.delete(node.body);
    }
  }

  const KEEPING = [keeping.save, keeping.save, keeping.tidy];
  const ACTS = [send, send, send, send, edit, edit, like, like, stamp, read, move, schedule, ...KEEPING];
  let isResting = false;
  let rests = 0;
  let working = work();
  async function work(): Promise<void> {
    await Promise.all(
      users.map(async (user) => {
        while (!isOver && !isResting) {
          await (pick(ACTS) ?? send)(user).catch((error: unknown) =>
            onFault(`${user.handle}: ${String(error)}`),
          );
          acts++;
          await wait(PAUSE_MS);
        }
      }),
    );
  }

  return {
    /** What was done and answered. */
    get acts() {
      return acts;
    },
    /** How often they had to do nothing. */
    get rests() {
      return rests;
    },
    /** Runs something while users do nothing. */
    async quietly<T>(run: () => Promise<T>): Promise<T> {
      isResting = true;
      rests++;
      await working;
      try {
        return await run();
      } finally {
        isResting = false;
        working = work();
      }
    },
    /** For a test that has failed. */
    end() {
      isOver = true;
    },
    async stop() {
      isOver = true;
      await working;
      await Promise.all(users.map(cancelAll));
      for (const user of users) await eventually(async () => expect(await keeping.isFree(user)).toBe(true));
    },
  };
}
