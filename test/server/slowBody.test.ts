/** Requests whose body arrives long after their headers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from './support/server.ts';

/** The end of the body is sent after the token in the headers was verified and then revoked. */
async function sendAcrossRevocation(accept: string, query: string) {
  let isRevoked = false;
  let onVerified = () => {};
  const verified = new Promise<void>((resolve) => {
    onVerified = resolve;
  });
  const server = await startServer({
    revoked: {
      isDeleted: () => false,
      has() {
        onVerified();
        return isRevoked;
      },
      onUpdate: () => () => {},
    },
  });
  const written = vi.fn();
  server.events.on('written', written);
  const body = JSON.stringify({ query });
  const headers = [
    'Host: localhost',
    `Accept: ${accept}`,
    'Content-Type: application/json',
    `Authorization: ${server.authorization}`,
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  await verified;
  isRevoked = true;
  socket.write(body.slice(-1));
  return { server, response: String((await once(socket, 'data'))[0]), written };
}

test.each([
  ['served directly', 'application/json'],
  ['served by Yoga', 'application/json ;x=1'],
  ['an event stream', 'text/event-stream'],
])('a token that is revoked while the body is being sent changes nothing: %s', async (_, accept) => {
  const { response, written } = await sendAcrossRevocation(accept, 'mutation { write }');
  expect(response).toMatch(/^HTTP\/1\.1 401 /);
  expect(written).not.toHaveBeenCalled();
});

test('a token that is revoked while the body is being sent opens no stream', async () => {
  const { server, response } = await sendAcrossRevocation('text/event-stream', 'subscription { ticks }');
  expect(response).toMatch(/^HTTP\/1\.1 401 /);
  expect(server.events.listenerCount('tick')).toBe(0);
});
