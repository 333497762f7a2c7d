import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Url = graphql(`query MessageUrl($id: ID!) { node(id: $id) { ... on Message { url } } }`);

let app: TestApp;
let behindProxy: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  behindProxy = await startTestApp({ config: { publicUrl: 'https://chat.example.com' } });
});
afterAll(async () => {
  await app?.stop();
  await behindProxy?.stop();
});

test('Message.url: begins with the address of this machine, or with PUBLIC_URL', async () => {
  for (const [server, origin] of [
    [app, `http://127.0.0.1:${new URL(app.url).port}`],
    [behindProxy, 'https://chat.example.com'],
  ] as const) {
    const [aki] = await people(server, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    const reply = await say(aki, roomId, 'reply', root.id);
    expect((await aki.do(Url, { id: root.id })).node).toEqual({
      url: `${origin}/rooms/${roomId}/messages/${root.id}`,
    });
    expect((await aki.do(Url, { id: reply.id })).node).toEqual({
      url: `${origin}/rooms/${roomId}/threads/${root.id}`,
    });
  }
});
