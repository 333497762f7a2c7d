/** The database goes away while a server starts. */
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../src/core/errors.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { startFront } from '../web/support/front.ts';

/** Attempts go on for this long: longer than any answer takes on a busy machine. */
const timeouts = { attemptMs: 60_000, callMs: 1_000, optimisticMs: 1_000 };
/** A start needs fewer requests. */
const REQUESTS_MAX = 100;

test('at whichever request of a start the database goes away, the reason is one sentence', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const front = await startFront(database.endpoint);
  onTestFinished(() => front.stop());

  /**
   * The error of a start for which the database answers some requests and no further ones. Undefined: it has started.
   */
  async function startAnswered(requests: number): Promise<unknown> {
    let left = requests;
    front.answer(() => (left-- > 0 ? undefined : { status: 503 }));
    try {
      const app = await startTestApp({ database: { ...database, endpoint: front.url }, timeouts });
      await app.stop();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  let requests = 0;
  for (; requests < REQUESTS_MAX; requests++) {
    const error = await startAnswered(requests);
    if (error === undefined) break;
    expect(error, `after ${requests} requests`).toBeInstanceOf(StartError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        `^DynamoDB at ${front.url} does not respond \\(.+\\)\\. Is it running at DYNAMODB_ENDPOINT\\?.*$`,
      ),
    });
  }
  // It looks for the table, says that it is there, and looks which shape is in force.
  expect(requests).toBeGreaterThan(3);
  expect(requests).toBeLessThan(REQUESTS_MAX);
}, 300_000);
