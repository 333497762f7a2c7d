import { expect, it } from 'vitest';
import { createServer } from '../support/roomServer.ts';
import { openStore } from '../support/roomStore.ts';

it('roomStore: shows the answer to a change of the viewer, also if its event does not arrive', async () => {
  const server = createServer(1);
  const store = openStore(server);
  void store.open();
  await server.answer(0);
  const id = server.roots[0]?.id ?? '';
  const shown = () => store.get().entities.optimistic.get(id);
  const changing = store.change(
    id,
    (message) => ({ ...message, body: 'changed' }),
    () => server.changeAs(id),
  );
  expect(shown()?.body).toBe('changed');
  await server.answer(0);
  const answer = await changing;
  expect(answer.version).toBe(2);
  expect(shown()).toEqual(answer);
  expect(store.get().entities.server.get(id)).toEqual(answer);
  store.close();
});
