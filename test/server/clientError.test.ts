import { GraphQLError, Kind, type NameNode } from 'graphql';
import { expect, test } from 'vitest';
import { badUserInput, type ErrorCode, errorCatalogue, TsudoiError } from '../../src/core/errors.ts';
import { clientError } from '../../src/server/graphql/clientError.ts';
import { createRecordedLog } from './support/log.ts';

const at = (originalError: Error, path = ['viewer', 'unread']) =>
  new GraphQLError(originalError.message, { originalError, path });
const node: NameNode = { kind: Kind.NAME, value: 'x' };

test('clientError: keeps every code of the catalogue, which decides the status without data', () => {
  const { log, lines } = createRecordedLog();
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const inside = clientError(at(new TsudoiError(code, 'Because.')), log);
    expect(inside.toJSON()).toMatchObject({ message: 'Because.', extensions: { code } });
    expect(inside.extensions.http).toBeUndefined();
    const instead = clientError(new TsudoiError(code, 'Because.'), log);
    expect(instead.extensions.http).toMatchObject({ status: errorCatalogue[code].status });
    expect(JSON.stringify(instead)).not.toContain('http');
  }
  expect(lines()).toEqual([]);
});

test('clientError: is idempotent', () => {
  const { log, lines } = createRecordedLog();
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

test("clientError: GraphQL's error about an argument is BAD_USER_INPUT, about a stored value INTERNAL", () => {
  const { log, lines } = createRecordedLog();
  const message = 'Argument "first" has invalid value "x".';
  const argument = new GraphQLError(message, { nodes: [node] });
  expect(clientError(at(argument), log).extensions).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'first',
    fields: [{ field: 'first', message }],
  });
  const value = new GraphQLError('Int cannot represent non-integer value: "hunter2"');
  expect(clientError(at(value), log).toJSON()).toMatchObject({
    message: 'Something went wrong on the server.',
    extensions: { code: 'INTERNAL', errorId: lines()[0]?.errorId },
  });
  expect(lines()[0]).toMatchObject({ path: 'viewer.unread' });
  expect(JSON.stringify(lines())).not.toContain('hunter2');
  const type = new GraphQLError('Abstract type "Node" must resolve to an Object type.', { nodes: [node] });
  expect(clientError(at(type), log).extensions.code).toBe('INTERNAL');
});

test.each([
  [
    'Variable "$input" got invalid value 1 at "input.userIds[0]"; ID cannot represent value: {}',
    'input.userIds.0',
  ],
  [
    'Variable "$input" got invalid value {}; Field "roomId" of required type "ID!" was not provided.',
    'input.roomId',
  ],
  [
    'Variable "$input" got invalid value {}; Field "x" is not defined by type "A". Did you mean "y"?',
    'input.x',
  ],
  ['Variable "$first" got invalid value "a; b"; Int cannot represent non-integer value: "a; b"', 'first'],
  ['Variable "$id" of required type "ID!" was not provided.', 'id'],
  ['Variable "$id" of non-null type "ID!" must not be null.', 'id'],
])('clientError: names the value of a variable that is wrong: %s', (message, field) => {
  const { log } = createRecordedLog();
  const { extensions } = clientError(new GraphQLError(message), log);
  expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', field, fields: [{ field }] });
});

test('clientError: accepts any thrown value', () => {
  const { log } = createRecordedLog();
  for (const thrown of [undefined, null, 'text', 7, {}, Object.create(null)]) {
    expect(clientError(thrown, log).extensions.code).toBe('INTERNAL');
  }
});
