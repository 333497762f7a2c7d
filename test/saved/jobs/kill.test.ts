/** A server process is killed while it merges two tags. */
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import type { SavedEntry } from '../../../src/saved/entry.ts';
import { graphql } from '../../generated/gql.ts';
import { clientAt, deployed, run } from '../../process/support/run.ts';
import { startFaultProxy } from '../../stream/support/faultProxy.ts';
import { rawId } from '../../support/clients/people.ts';
import { openTestDynamo } from '../../support/database/dynamo.ts';
import { eventually } from '../../support/time/eventually.ts';
import { writeSavedMessages } from '../support/bulk.ts';
import { JobNode, MergeSavedTags } from '../support/operations.ts';
import { storedOf } from '../support/stored.ts';

const OwnId = graphql(`query OwnIdOfSaver { viewer { id } }`);

/** Four steps. Every third message has both tags. */
const MESSAGES = 72;

const entriesOf = (user: string): SavedEntry[] => {
  const room = newId();
  const start = Date.now() * 1_000;
  return Array.from({ length: MESSAGES }, (_, i) => {
    const ts = toTimestamp(start + i);
    return {
      user,
      room,
      threadTs: ts,
      ts,
      savedAt: ts,
      note: null,
      remindAt: null,
      version: 1,
      visibility: 'PRIVATE',
      tags: i % 3 === 0 ? ['from', 'into'] : ['from'],
    };
  });
};

/** A database behind a proxy, and servers that are started one after the other. */
async function open() {
  const database = await openTestDynamo({ file: true });
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(async () => {
    await proxy.stop();
    await database.stop();
  });
  const env = deployed({ DYNAMODB_ENDPOINT: proxy.endpoint, TABLE_NAME: database.table });
  const start = async () => {
    const server = await run({ env });
    return { server, ...(await server.ready()) };
  };
  return { database, proxy, start };
}

/** A transaction that moves messages to the other tag. */
const isStep = (request: unknown): boolean => JSON.stringify(request).includes('#SAVED#PRIVATE#into');

test.each(['before', 'after'])(
  'killed %s its second step is stored, the merge does each step once',
  async (when) => {
    const { database, proxy, start } = await open();
    const { dynamo } = database;
    const { server, url } = await start();
    const ben = await clientAt(url, 'ben');
    const user = rawId((await ben.do(OwnId)).viewer.id);
    await writeSavedMessages(dynamo, entriesOf(user));
    let steps = 0;
    if (when === 'before') {
      proxy.onRequest('TransactWriteItems', (request) => {
        if (!isStep(request) || ++steps !== 2) return;
        server.signal('SIGKILL');
        return new Promise(() => {});
      });
    } else {
      proxy.rewrite('TransactWriteItems', (_answer, request) => {
        if (isStep(request) && ++steps === 2) server.signal('SIGKILL');
        return undefined;
      });
    }
    const tag = (id: string) => encodeId('SavedTag', `${user}:${id}`);
    const { mergeSavedTags } = await ben.do(MergeSavedTags, {
      input: { fromTagId: tag('from'), intoTagId: tag('into') },
    });
    const { id, total } = mergeSavedTags.job;
    expect(total).toBe(MESSAGES);
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
    // Between two steps everything agrees.
    const between = await storedOf(dynamo, user);
    expect(between.faults).toEqual([]);
    expect(new Set(between.entries.flatMap(({ tags }) => tags))).toEqual(new Set(['from', 'into']));

    const again = await clientAt((await start()).url, 'ben');
    await eventually(async () => {
      expect((await again.do(JobNode, { id })).node).toEqual({ id, state: 'DONE', done: MESSAGES });
    }, 50);
    const { entries, faults } = await storedOf(dynamo, user);
    expect(faults).toEqual([]);
    expect(entries.map(({ tags }) => tags)).toEqual(Array(MESSAGES).fill(['into']));
    expect(await dynamo.get(keys.savedTag(user, 'from'))).toBeUndefined();
    expect(await dynamo.get(keys.savedTag(user, 'into'))).toMatchObject({ count: MESSAGES });
  },
);
