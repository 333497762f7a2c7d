/**
 * A server that is stopped while many clients send, and while its database is slow, leaves no request without a
 * response.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../server/support/socket.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { CreateRoom } from '../support/clients/operations.ts';
import { tokenFor } from '../support/clients/tokens.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { clientAt, deployed, run } from './support/run.ts';

const SEND = 'sendMessage(input: $input) { message { body } }';

async function start() {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(() => proxy.stop());
  const env = deployed({ DYNAMODB_ENDPOINT: proxy.endpoint, TABLE_NAME: database.table });
  const server = await run({ env });
  const { url } = await server.ready();
  const aki = await clientAt(url, 'aki');
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC' } });
  const variables = { input: { roomId: createRoom.room.id, body: 'Hello' } };
  const token = await tokenFor('aki');

  /** The status and the body. Rejects if the connection is reset. */
  async function post(query: string, agent: Agent): Promise<{ status: number | undefined; body: string }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${url}/graphql`, { agent, method: 'POST', headers });
    sent.end(JSON.stringify({ query, variables }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  }
  return { server, proxy, url, token, variables, post };
}

test.each([
  ['keep their connections', true],
  ['connect for each request', false],
])('SIGTERM: thirty clients that send all the time and %s are not reset', async (_, keepAlive) => {
  const { server, post } = await start();
  let answered = 0;
  let beginStop = () => {};
  const busy = new Promise<void>((resolve) => {
    beginStop = resolve;
  });
  const clients = Array.from({ length: 30 }, async () => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (;;) {
      const { status, body } = await post(`mutation ($input: SendMessageInput!) { ${SEND} }`, agent);
      expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('"Hello"') });
      if (++answered === 300) beginStop();
    }
  });
  await busy;
  server.signal('SIGTERM');
  const ends = await Promise.allSettled(clients);
  const reasons = ends.map((end) => end.status === 'rejected' && (end.reason.code ?? String(end.reason)));
  expect(new Set(reasons)).toEqual(new Set(['ECONNREFUSED']));
  expect(await server.ended).toMatchObject({ code: 0 });
});

test('SIGTERM: calls that take longer than 5 s are answered over HTTP and websockets', async () => {
  const { server, proxy, url, token, variables, post } = await start();
  const writes = Array.from({ length: 15 }, (_, i) => `m${i}: ${SEND}`).join('\n');
  const query = `mutation Slow($input: SendMessageInput!) { ${writes} }`;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  // A slow database, for longer than 5 s. The mutations of one document run one after the other.
  let arrived = 0;
  let signalledAt = Number.POSITIVE_INFINITY;
  const isSlow = () => performance.now() < signalledAt + 5_500;
  proxy.onRequest('TransactWriteItems', async (body) => {
    if (!JSON.stringify(body).includes('Hello')) return;
    if (++arrived === 3) begin();
    if (isSlow()) await wait(450);
  });
  const socket = await connect(`${url.replace('http', 'ws')}/graphql`);
  socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
  socket.subscribe('slow', query, variables);
  const agents = [true, false].map((keepAlive) => new Agent({ keepAlive }));
  const responses = agents.map((agent) => post(query, agent));
  await begun;
  signalledAt = performance.now();
  server.signal('SIGTERM');

  for (const { status, body } of await Promise.all(responses)) {
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body).data)).toHaveLength(15);
  }
  expect(await socket.next()).toMatchObject({
    id: 'slow',
    payload: { data: expect.objectContaining({ m14: expect.anything() }) },
  });
  expect((await socket.closed).code).toBe(1012);
  expect(await server.ended).toMatchObject({ code: 0 });
});
