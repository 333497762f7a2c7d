import { GraphQLError, Kind, type NameNode } from 'graphql';
import { expect, test } from 'vitest';
import { badUserInput, type ErrorCode, errorCatalogue, TsudoiError } from '../../src/core/errors.ts';
import { clientError } from '../../src/server/graphql/clientError.ts';
import { recordedLog } from './support/log.ts';

const at = (originalError: Error, path = ['viewer', 'unread']) =>
  new GraphQLError(originalError.message, { originalError, path });
const node: NameNode = { kind: Kind.NAME, value: 'x' };

test('every code of the catalogue passes with its message, and decides the status where there is no data', () => {
  const { log, lines } = recordedLog();
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const inside = clientError(at(new TsudoiError(code, 'Because.')), log);
    expect(inside.toJSON()).toMatchObject({ message: 'Because.', extensions: { code } });
    expect(inside.extensions.http).toBeUndefined();
    const instead = clientError(new TsudoiError(code, 'Because.'), log);
    expect(instead.extensions.http).toEqual({ status: errorCatalogue[code].http });
    expect(JSON.stringify(instead)).not.toContain('http');
  }
  expect(lines()).toEqual([]);
});

test('doing it twice changes nothing', () => {
  const { log, lines } = recordedLog();
  for (const error of [
    badUserInput('input.body', 'Too long.', 7),
    at(new Error('x')),
    new GraphQLError('Syntax'),
  ]) {
    const once = clientError(error, log);
    const twice = clientError(once, log);
    expect(twice.toJSON()).toEqual(once.toJSON());
    expect(twice.extensions.http).toEqual(once.extensions.http);
  }
  expect(lines()).toHaveLength(1);
});

test("GraphQL's complaint about an argument is the client's, one about a value that was read is ours", () => {
  const { log, lines } = recordedLog();
  const argument = new GraphQLError('Argument "first" has an invalid value.', { nodes: [node] });
  expect(clientError(at(argument), log).extensions).toEqual({ code: 'BAD_USER_INPUT' });
  const value = new GraphQLError('Int cannot represent non-integer value: "hunter2"');
  expect(clientError(at(value), log).toJSON()).toMatchObject({
    message: 'Something went wrong on the server.',
    extensions: { code: 'INTERNAL', errorId: lines()[0]?.errorId },
  });
  expect(lines()[0]).toMatchObject({ path: 'viewer.unread' });
  expect(JSON.stringify(lines())).not.toContain('hunter2');
});

test('what was thrown may be anything', () => {
  const { log } = recordedLog();
  for (const thrown of [undefined, null, 'text', 7, {}, Object.create(null)]) {
    expect(clientError(thrown, log).extensions.code).toBe('INTERNAL');
  }
});
