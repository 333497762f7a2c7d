import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../../src/core/ids.ts';
import { LikeMessage } from '../../reactions/likes/support/operations.ts';
import { SendMessage, Timeline } from '../../support/clients/operations.ts';
import type { Person } from '../../support/clients/people.ts';
import type { TestDynamo } from '../../support/database/dynamo.ts';
import { dump } from '../../support/database/table.ts';

/** Clients that send, like and read until they are stopped, and what was acknowledged to them. */
export function load(users: readonly Person[], roomId: string, mentioned: string) {
  const sent = new Map<string, string>();
  const liked = new Set<string>();
  /** How often each code was the answer. */
  const refusals = new Map<string | undefined, number>();
  const refuse = (code: string | undefined) => refusals.set(code, (refusals.get(code) ?? 0) + 1);
  let [quiet, isOver] = [Promise.resolve<unknown>(undefined), false];

  /** As a client does it: again with the same key as long as the service is not available. */
  async function send(user: Person, body: string): Promise<string> {
    const input = { roomId, body, idempotencyKey: newId() };
    for (;;) {
      const { data, errors } = await user.send(SendMessage, { input });
      if (errors === undefined && data?.sendMessage?.message.id !== undefined)
        return data.sendMessage.message.id;
      refuse(errors?.[0]?.extensions?.code);
      if (errors?.[0]?.extensions?.code !== 'UNAVAILABLE') throw new Error(JSON.stringify(errors));
      await wait(20);
    }
  }

  const working = users.map(async (user, i) => {
    for (let n = 0; !isOver; n++) {
      await quiet;
      const number = `${i}-${n}`;
      const id = await send(user, `${number} for @${mentioned}`);
      sent.set(id, number);
      for (let isLiked = false; !isLiked; ) {
        const code = await user.refused(LikeMessage, { messageId: id });
        isLiked = code === undefined;
        if (!isLiked) refuse(code);
        if (!isLiked) await wait(20);
      }
      liked.add(id);
      const code = await user.refused(Timeline, { roomId, last: 5 });
      if (code !== undefined) refuse(code);
    }
  });
  return {
    sent,
    liked,
    refusals,
    /** Runs something while the clients begin nothing. */
    quietly<T>(run: () => Promise<T>): Promise<T> {
      const running = run();
      quiet = running.catch(() => {});
      return running;
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

const NUMBERED = /^\d+-\d+ for /;

/** The numbers of the messages of these clients: a mention is stored as an id. */
export const numbersIn = async ({ dynamo }: TestDynamo) =>
  [...(await dump(dynamo)).values()].flatMap(({ body }) =>
    typeof body === 'string' && NUMBERED.test(body) ? [body.split(' ')[0]] : [],
  );
