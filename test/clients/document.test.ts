import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const RECIPES = new URL('recipes/', import.meta.url);
const document = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');

/** The code blocks of the document that are recipes: each follows a line with the name of its file. */
const blocks = new Map(
  [...document.matchAll(/^`test\/clients\/recipes\/([\w.]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
    ([, name = '', code]) => [name, code],
  ),
);

test('docs/clients.md: shows every recipe', async () => {
  const files = await readdir(RECIPES, { withFileTypes: true });
  expect([...blocks.keys()].sort()).toEqual(
    files
      .filter((file) => file.isFile())
      .map(({ name }) => name)
      .sort(),
  );
});

test.each([...blocks])('docs/clients.md: the code of %s is the code that is tested', async (name, code) => {
  expect(code).toBe(await readFile(new URL(name, RECIPES), 'utf8'));
});
