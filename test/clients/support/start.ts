import { readFile } from 'node:fs/promises';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { expect, type TestContext } from 'vitest';
import { WebSocket } from 'ws';
import { people, roomOf, say } from '../../support/clients/people.ts';
import { type TestApp, tokenFor } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';
import { createLiveClient } from '../recipes/graphqlWs.ts';
import { startGate } from './gate.ts';

/** A room of Aki, whose client is tested, and Ben, with five messages of Ben. */
export async function start(app: TestApp, { onTestFinished }: TestContext) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  for (let i = 1; i <= 5; i++) await say(ben, roomId, `old ${i}`);
  const gate = await startGate(app.url);
  onTestFinished(() => gate.close());
  const token = () => tokenFor(aki.handle);
  const url = `${gate.url}/graphql`;
  const live = createLiveClient({ url: url.replace('http', 'ws'), token, webSocketImpl: WebSocket });
  onTestFinished(async () => {
    // It rejects if it was just going to connect again.
    await Promise.resolve(live.dispose()).catch(() => {});
  });
  const after = await cursorOf(url, { roomId, token: await token() });
  return { aki, ben, roomId, gate, url, token, live, after };
}

/** The room's cursor, once all messages until now are in the room's log. */
async function cursorOf(url: string, { roomId, token }: { roomId: string; token: string }): Promise<string> {
  const read = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: NEWEST, variables: { roomId } }),
    });
    const { data } = (await response.json()) as {
      data: { room: { eventsCursor: string; lastMessage: { position: number | null } } };
    };
    return data.room;
  };
  await eventually(async () => expect((await read()).lastMessage.position).not.toBeNull());
  return (await read()).eventsCursor;
}

const NEWEST = 'query ($roomId: ID!) { room(id: $roomId) { eventsCursor lastMessage { position } } }';

/** What clients learn by introspection. */
export async function schemaOf() {
  const schema = introspectionFromSchema(buildSchema(await readFile('schema/schema.graphql', 'utf8')));
  const possibleTypes = Object.fromEntries(
    schema.__schema.types.flatMap((type) =>
      type.kind === 'INTERFACE' ? [[type.name, type.possibleTypes.map(({ name }) => name)]] : [],
    ),
  );
  return { schema, possibleTypes };
}

export type Started = Awaited<ReturnType<typeof start>>;
