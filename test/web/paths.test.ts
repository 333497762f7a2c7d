import { expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/server/server.ts';
import * as paths from '../../web/src/shell/paths.ts';

/** Each path that the web client makes, with something in the place of its parameters. */
const made = Object.entries(paths).flatMap(([name, path]) => {
  if (typeof path === 'string') return [[name, path] as const];
  const make = path as (...parameters: readonly unknown[]) => string;
  if (name === 'savedPath')
    return ['all', 'public', { tag: 'x y' }].map((list) => [name, make(list)] as const);
  return [[name, make('room/1', 'message 2')] as const];
});

test.each(made)('%s: the server knows %s', (_name, path) => {
  const known = PAGE_PATHS.some((pattern) =>
    pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
  expect([path, known]).toEqual([path, true]);
});
