import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { parse, print } from 'graphql';
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

test('relay.ts: its artifacts are those of its tags; otherwise run relay-compiler', async () => {
  const code = await readFile(new URL('relay.ts', RECIPES), 'utf8');
  for (const [, text = ''] of code.matchAll(/graphql`([^`]*)`/g)) {
    const name = /^\s*\w+ (\w+)/.exec(text)?.[1];
    const artifact = await readFile(new URL(`__generated__/${name}.graphql.ts`, RECIPES), 'utf8');
    expect(artifact).toContain(
      createHash('md5')
        .update(print(parse(text)))
        .digest('hex'),
    );
  }
});
