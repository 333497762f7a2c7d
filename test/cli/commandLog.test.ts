import { expect, test } from 'vitest';
import { createCommandLog } from '../../src/cli/command/commandLog.ts';
import { OutageError } from '../../src/core/errors.ts';

test('createCommandLog: a line for each outage, a sentence for other warnings, and all of any other error', () => {
  let now = 0;
  const lines: string[] = [];
  const log = createCommandLog({ write: (text) => lines.push(text), now: () => now });
  const err = new OutageError(Object.assign(new Error('connect'), { code: 'ETIMEDOUT', syscall: 'connect' }));
  log.info('Not for people');
  log.warn('The table keeps expired items.');
  for (const what of ['The stream', 'Carrying', 'The lease table']) log.warn({ err }, `${what} is down`);
  now = 20_000;
  log.warn({ err }, 'Carrying is down');
  now = 60_000;
  log.warn({ err }, 'Carrying is down');
  log.warn({ err: new TypeError('x is not a function') }, 'A handler failed');
  expect(lines.slice(0, 3)).toEqual([
    'The table keeps expired items.\n',
    'The stream is down (ETIMEDOUT)\n',
    'Carrying is down (ETIMEDOUT)\n',
  ]);
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[3] ?? '')).toMatchObject({ err: { message: 'x is not a function' } });
});
