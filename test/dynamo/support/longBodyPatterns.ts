/** What a body of 16 kB (4,000 characters of 4 bytes) costs: only its own writes and pages pay for it. */

import { expect } from 'vitest';
import { defined } from '../../../src/core/defined.ts';
import { type Person, roomOf } from '../../support/clients/people.ts';
import * as ask from './costOperations.ts';
import { consumed, type Pattern } from './pattern.ts';

const body = '😀'.repeat(3_999);

let roomId = '';
let longId = '';

async function send(user: Person, replyTo?: string): Promise<string> {
  const input = {
    roomId,
    body: replyTo === undefined ? body : 'short',
    ...defined({ replyTo }),
  };
  return (await user.do(ask.CostSend, { input })).sendMessage.message.id;
}

export const longBodyPatterns: readonly Pattern[] = [
  {
    name: '`sendMessage`, a root of 16 kB',
    async before({ aki, ben }) {
      roomId = await roomOf(aki, [ben]);
      for (let n = 0; n < 9; n++) await send(aki);
    },
    async run({ aki }) {
      longId = await send(aki);
    },
  },
  {
    name: '`Room.messages`, the newest 10 of 16 kB, with authors',
    async run({ aki }) {
      const { room } = await aki.do(ask.CostAuthors, { roomId });
      expect(room?.messages.edges.map(({ node }) => node.body?.length)).toEqual(Array(10).fill(body.length));
    },
  },
  consumed('consumer: a new root of 16 kB', async ({ aki }) => {
    longId = await send(aki);
  }),
  { name: '`sendMessage`, a reply to a root of 16 kB', run: ({ ben }) => send(ben, longId) },
  {
    name: '`addStamp`, to a message of 16 kB',
    run: ({ ben }) => ben.do(ask.CostStamp, { messageId: longId, stamp: 'heart' }),
  },
  {
    name: '`likeMessage`, a message of 16 kB',
    run: ({ ben }) => ben.do(ask.CostLike, { messageId: longId }),
  },
  {
    name: '`editMessage`, a message of 16 kB',
    run: ({ aki }) => aki.do(ask.CostEdit, { messageId: longId, body: `a${body}` }),
  },
  {
    name: '`deleteMessage`, a message of 16 kB',
    run: ({ aki }) => aki.do(ask.CostDelete, { messageId: longId }),
  },
];
