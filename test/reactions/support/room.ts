import { people, roomOf, say } from '../../support/clients/people.ts';
import type { TestApp } from '../../support/servers/app.ts';

/** Creates a public room of Aki and Ben with a message by Aki. */
export async function createRoomWithMessage(app: TestApp) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: (await say(aki, roomId, 'Tea?')).id };
}
