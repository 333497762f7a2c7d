/** A room whose items DynamoDB returns one after the other: the cursor may be newer than what was read before it. */
import { expect, test } from 'vitest';
import { type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import { UpdateRoom } from '../support/clients/operations.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { settled } from './support/model/real.ts';
import { openView, readRoom } from './support/model/view.ts';

test('Synced: a client that read the old name before the cursor has the new one when it is live', async () => {
  const database = await openTestDynamo({ file: true });
  const proxy = await startFaultProxy(database.endpoint);
  const app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
  try {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await settled({ dynamo: database.dynamo, rooms: [roomId] });

    let step: 'armed' | 'short' | 'over' = 'armed';
    proxy.rewrite('BatchGetItem', (answer, { RequestItems }) => {
      const { Keys } = RequestItems[database.table];
      if (step !== 'armed' || !Keys.some(({ sk }: Json) => sk.S === 'COUNTER')) return undefined;
      step = 'short';
      const isRoom = ({ sk }: Json) => sk.S === 'ROOM';
      const left = Keys.filter((key: Json) => !isRoom(key));
      return {
        Responses: { [database.table]: answer.Responses[database.table].filter(isRoom) },
        UnprocessedKeys: { [database.table]: { Keys: left, ConsistentRead: true } },
      };
    });
    proxy.onRequest('BatchGetItem', async () => {
      if (step !== 'short') return;
      step = 'over';
      await aki.do(UpdateRoom, { input: { roomId, name: 'Renamed' } });
      await settled({ dynamo: database.dynamo, rooms: [roomId] });
    });

    const view = await openView(ben, roomId);
    expect(step).toBe('over');
    expect(view.state.name).toBe('Renamed');
    view.expectState(await readRoom(ben, roomId));
    view.disconnect();
  } finally {
    await app.stop();
    await proxy.stop();
    await database.stop();
  }
});
