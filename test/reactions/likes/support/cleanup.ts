import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { toTimestamp } from '../../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../../src/dynamo/item.ts';
import { keys } from '../../../../src/dynamo/keys.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import type { MessageKey } from '../../../../src/messages/message.ts';
import { createCleanupHandler } from '../../../../src/reactions/handlers.ts';
import { likesKind } from '../../../../src/reactions/likes/kind.ts';
import type { Change } from '../../../../src/stream/change.ts';
import { stepOf } from '../../../jobs/support/steps.ts';
import { messageKey } from '../../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../../support/servers/app.ts';
import { createStreamGate, type StreamGate } from '../../../support/stream/streamGate.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { createRoomWithMessage } from '../../support/room.ts';
import { inTable, likedByMany } from './likes.ts';

/** What `left` returns when everything is deleted. */
export const NOTHING = { count: 0, likes: 0 };

export const deletedAt = toTimestamp(1);

/** The stream record of a message's change. */
export const recordOf = ({ room, threadTs, ts }: MessageKey, old: object, now: object): Change => ({
  stream: 'stream',
  sequence: '1',
  kind: 'MODIFY',
  key: threadTs === ts ? { type: 'root', room, threadTs, ts } : { type: 'reply', room, threadTs, ts },
  old: { ...old },
  new: { ...now },
  expired: false,
});

/** An hour ahead of the app's clock, because the app runs due jobs too. */
const ahead = () => Date.now() + 3_600_000;

/** The handlers of a consumer that clears likes. `now`: its clock. */
export function clearing(dynamo: Dynamo, now: () => number = ahead) {
  const cleanup = likesKind.createCleanup({ dynamo, now });
  const jobs = createJobs({ dynamo, now });
  const handler = createCleanupHandler({ jobs, cleanup });
  return { cleanup, jobs, handler, work: { dynamo, kinds: [cleanup.kind], now } };
}
export type Clearing = ReturnType<typeof clearing>;

/** An app whose consumer the tests hold back, and what its likes' cleanup leaves in the table. */
export interface CleanupFixture {
  readonly app: TestApp;
  /** Open at the beginning of each test. */
  readonly gate: StreamGate;
  /** What is left of a message's likes. */
  left(message: MessageKey): Promise<{ readonly count: number; readonly likes: number }>;
  /** Resolves when nothing is left. */
  cleared(message: MessageKey): Promise<void>;
  /** A deleted message with likes. No handler has seen the records of its deletion. */
  leftovers(count: number): Promise<MessageKey>;
  jobOf(message: MessageKey): Promise<Item | undefined>;
  /** Runs one step of the message's job, as its timer would. Resolves to whether there is a job. */
  stepOf(message: MessageKey, consumer: Clearing): Promise<boolean>;
  /** Sets the number that the message has stored. */
  countOf(message: MessageKey, likeCount: number): Promise<Item>;
}

/** To be called once in a file, outside its tests. */
export function useCleanup(): CleanupFixture {
  const gate = createStreamGate();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
  });
  afterAll(async () => {
    gate.open();
    await app.stop();
  });
  beforeEach(() => gate.open());

  const jobId = (message: MessageKey) =>
    likesKind.createCleanup({ dynamo: app.dynamo, now: Date.now }).id(message);

  const fixture: CleanupFixture = {
    get app() {
      return app;
    },
    gate,
    async left(message) {
      const { count, users } = await inTable(app.dynamo, message);
      return { count, likes: users.length };
    },
    cleared: (message) => eventually(async () => expect(await fixture.left(message)).toEqual(NOTHING)),
    async leftovers(count) {
      const { aki, message } = await createRoomWithMessage(app);
      const key = messageKey(message);
      await likedByMany(app.dynamo, key, count);
      gate.close();
      await app.services.messages.remove(aki.id, key);
      return key;
    },
    jobOf: (message) => app.dynamo.get(keys.job(jobId(message))),
    stepOf: (message, { work }) => stepOf(work, { id: jobId(message) }),
    countOf: (message, likeCount) =>
      app.dynamo.update(keys.message(message.room, message.threadTs, message.ts), {
        update: 'SET likeCount = :likes',
        values: { ':likes': likeCount },
      }),
  };
  return fixture;
}
