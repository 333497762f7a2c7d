import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { keptTextCounts } from '../../src/graphql/keptText.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { AddStamp, RemoveStamp } from '../reactions/stamps/support/operations.ts';
import { SendMessage, UpdateProfile } from '../support/clients/operations.ts';
import { type Person, people, roomOf } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { DeleteMessage, EditMessage, ExecutedPage, WrittenPage } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Reads the page twice as text that is kept, and compares it with what graphql-js returns. Both are of this viewer. */
async function compare(viewer: Person, roomId: string): Promise<void> {
  // What is derived from the changes so far must not come between.
  await app.quiet();
  for (let i = 0; i < 2; i++) {
    const executed = await viewer.do(ExecutedPage, { roomId, yes: true });
    expect(await viewer.do(WrittenPage, { roomId })).toEqual(executed);
  }
}

const STEPS = [
  'send',
  'reply',
  'mention',
  'edit',
  'delete',
  'like',
  'unlike',
  'stamp',
  'unstamp',
  'rename',
] as const;
const step = fc.record({
  what: fc.constantFrom(...STEPS),
  who: fc.nat(1),
  /** Which of the messages. */
  at: fc.nat(5),
  text: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `text ${text.replace(/[^ -~]/g, '')}`),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const { numRuns, timeout, within } = budget({ runs: 6, seconds: 4 });

test(
  `Message: a page of kept texts is what execution returns to each viewer (seed ${seed})`,
  async () => {
    const { used } = keptTextCounts;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        within(async (steps) => {
          const members = await people(app, 2);
          const [aki, ben] = members;
          const roomId = await roomOf(aki, [ben]);
          const stamps: string[] = [];
          const sent: Array<{ readonly id: string; readonly by: Person }> = [];

          async function send(by: Person, body: string, replyTo?: string): Promise<void> {
            const key = { idempotencyKey: randomUUID() };
            const input = { roomId, body, ...key, ...defined({ replyTo }) };
            const { data } = await by.send(SendMessage, { input });
            if (data?.sendMessage != null) sent.push({ id: data.sendMessage.message.id, by });
          }

          /** Some are refused: a deleted message stays as it is, and its thread is closed. */
          async function perform({ what, who, at, text }: Step): Promise<void> {
            const by = who === 0 ? aki : ben;
            const message = sent[at % sent.length];
            if (message === undefined || what === 'send') return send(by, text);
            const messageId = message.id;
            if (what === 'reply') return send(by, text, messageId);
            if (what === 'mention') return send(by, `@${aki.handle} ${text}`);
            if (what === 'edit') await message.by.send(EditMessage, { messageId, body: text });
            if (what === 'delete') await message.by.send(DeleteMessage, { messageId });
            if (what === 'like') await by.send(LikeMessage, { messageId });
            if (what === 'unlike') await by.send(UnlikeMessage, { messageId });
            if (what === 'stamp') {
              const { data } = await by.send(AddStamp, { messageId, stamp: 'heart' });
              stamps.push(...(data?.addStamp == null ? [] : [data.addStamp.messageStamp.id]));
            }
            const messageStampId = stamps.at(-1);
            if (what === 'unstamp' && messageStampId !== undefined) {
              await by.send(RemoveStamp, { messageStampId });
            }
            if (what === 'rename') await by.send(UpdateProfile, { input: { displayName: text } });
          }

          for (const [i, one] of steps.entries()) {
            await perform(one);
            if (i % 2 === 0) for (const viewer of members) await compare(viewer, roomId);
          }
        }),
      ),
      { seed, numRuns },
    );
    // Pages that are always written again would pass.
    expect(keptTextCounts.used).toBeGreaterThan(used);
  },
  timeout,
);
