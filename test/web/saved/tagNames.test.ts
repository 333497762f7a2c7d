import { expect, test } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { type Tag, tagNamed } from '../../../web/src/saved/tagNames.ts';

/** As the server: it compares the beginning with its spaces. */
const having = (...tags: readonly Tag[]) => {
  const queryUncached = async (_document: unknown, { prefix }: { readonly prefix: string }) => {
    const edges = tags.filter(({ name }) => name.startsWith(prefix)).map((node) => ({ node }));
    return { viewer: { savedTags: { edges } } };
  };
  return { queryUncached } as unknown as Pick<Api, 'queryUncached'>;
};

test('tagNamed: ignores spaces around the name', async () => {
  const tag: Tag = { id: '1', name: 'a b', count: 1 };
  const api = having({ ...tag, id: '2', name: 'a bc' }, tag);
  expect(await tagNamed(api, ' a b ')).toEqual(tag);
  expect(await tagNamed(api, 'a')).toBeUndefined();
});
