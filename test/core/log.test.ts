import { expect, test } from 'vitest';
import { conflict } from '../../src/core/errors.ts';
import { errorFields } from '../../src/core/log.ts';
import { createRecordedLog } from '../server/support/log.ts';

test('createLog: credentials and the texts of users are hidden at every depth', () => {
  const { log, lines, text } = createRecordedLog();
  const secret = 'hunter2';
  log.info(
    {
      authorization: secret,
      headers: { authorization: secret },
      req: { headers: { authorization: secret } },
    },
    'x',
  );
  log.info(
    { token: secret, message: { body: secret }, params: { query: secret, variables: { text: secret } } },
    'x',
  );
  expect(text()).not.toContain(secret);
  expect(lines()).toHaveLength(2);
});

test('createLog: an error is its name, code, place and causes, without what it quotes', () => {
  const { log, lines, text } = createRecordedLog();
  const cause = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  const error = Object.assign(new Error('a secret word', { cause }), { item: { body: 'a secret word' } });
  log.error({ err: error }, 'it failed');
  expect(text()).not.toContain('secret word');
  expect(lines()[0]).toMatchObject({
    msg: 'it failed',
    err: {
      error: 'Error',
      at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
    },
  });
});

test('createLog: messages about the program are kept', () => {
  expect(errorFields(new TypeError('x is not a function')).message).toBe('x is not a function');
  expect(errorFields(conflict('DELETED', 'Somebody was first.')).message).toBe('Somebody was first.');
  expect(errorFields(new SyntaxError('Unexpected token in "a secret word"'))).not.toHaveProperty('message');
});

test('createLog: any value may be thrown, and causes may refer to each other', () => {
  for (const thrown of [undefined, null, 'a secret word', 7, {}])
    expect(errorFields(thrown)).toEqual({ error: typeof thrown });
  const circle = new Error('a');
  circle.cause = circle;
  expect(errorFields(circle).cause?.cause?.cause).not.toHaveProperty('cause');
});
