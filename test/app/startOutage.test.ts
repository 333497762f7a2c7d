/** The database goes away while a server starts. */
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../src/core/errors.ts';
import { freePort } from '../../src/dev/embeddedDynamodb/database.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { startFront } from '../web/support/front.ts';

/** Attempts go on for this long: longer than any answer takes on a busy machine. */
const timeouts = { attemptMs: 60_000, callMs: 1_000, optimisticMs: 1_000 };
/** A start needs fewer requests. */
const REQUESTS_MAX = 100;

test('at whichever request of a start the database goes away, it ends in one sentence and did not listen', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const front = await startFront(database.endpoint);
  onTestFinished(() => front.stop());

  const port = await freePort();
  /** What a load balancer gets when the database goes away. A status: the server listens before it can work. */
  const probes: Array<Promise<number | undefined>> = [];
  const probe = async () => {
    try {
      return (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
    } catch {
      return undefined;
    }
  };

  /**
   * The error of a start for which the database answers some requests and no further ones. Undefined: it has started.
   */
  async function startAnswered(requests: number): Promise<unknown> {
    let left = requests;
    const probed: typeof probes = [];
    front.answer(() => {
      if (left-- > 0) return undefined;
      if (probed.length === 0) probed.push(probe());
      return { status: 503 };
    });
    try {
      const app = await startTestApp({
        database: { ...database, endpoint: front.url },
        timeouts,
        config: { port },
      });
      await app.stop();
      return undefined;
    } catch (error) {
      // Of a start that succeeds, later requests are refused, too.
      probes.push(...probed);
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
  // The load balancer of infra/ asks for nothing else before it sends clients to a new server.
  expect(await Promise.all(probes)).toEqual(Array.from({ length: requests }, () => undefined));
  expect(requests).toBeLessThan(REQUESTS_MAX);
}, 300_000);
