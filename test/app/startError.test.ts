import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/app/database.ts';
import { databaseError, listenError } from '../../src/app/startError.ts';
import { loadConfig } from '../../src/config.ts';
import { OutageError, StartError } from '../../src/core/errors.ts';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';

const failure = (name: string, message: string, fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });
const aws = { kind: 'aws', region: 'eu-central-1' } as const;

describe('databaseError', () => {
  test.each([
    [
      'no credentials',
      failure('CredentialsProviderError', 'Could not load credentials from any providers'),
      'There are no AWS credentials for DynamoDB in eu-central-1: Could not load credentials from any providers',
    ],
    [
      'no credentials during its work',
      new OutageError(failure('CredentialsProviderError', 'There were none within 2000 ms.')),
      'There are no AWS credentials for DynamoDB in eu-central-1: There were none within 2000 ms.',
    ],
    [
      'no permission during its work',
      new OutageError(failure('AccessDeniedException', 'You may not.')),
      'DynamoDB in eu-central-1 refuses the request: AccessDeniedException: You may not.',
    ],
    [
      'no permission',
      failure('AccessDeniedException', 'You may not.', { $fault: 'client' }),
      'DynamoDB in eu-central-1 refuses the request: AccessDeniedException: You may not.',
    ],
    [
      'no network',
      failure('Error', '', { code: 'ENOTFOUND' }),
      'DynamoDB in eu-central-1 does not respond (ENOTFOUND). Can this machine reach AWS? AWS_REGION is the region.',
    ],
  ])('databaseError: describes %s in one line', (_what, error, line) => {
    const startError = databaseError(error, aws);
    expect(startError).toBeInstanceOf(StartError);
    expect(startError).toMatchObject({ message: line, cause: error });
  });

  test('databaseError: shows the endpoint without its password', () => {
    const endpoint = 'http://user:secret@db.example.com:8000/path';
    const startError = databaseError(failure('TimeoutError', ''), { kind: 'endpoint', endpoint });
    expect(String(startError)).toContain('http://db.example.com:8000 ');
    expect(String(startError)).not.toContain('secret');
  });

  test('openDatabase: does not change a table of another program', async () => {
    const database = await openTestDynamo();
    onTestFinished(() => database.stop());
    const { StreamSpecification: _, ...withoutStream } = tableDefinition('theirs');
    await database.client.send(new CreateTableCommand(withoutStream));
    const config = loadConfig({ DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: 'theirs' });
    await expect(openDatabase(config, pino({ level: 'silent' }))).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The table theirs has no stream .*TABLE_NAME/),
    });
  });

  test('databaseError: returns a bug unchanged', () => {
    const bug = new TypeError('x is not a function');
    expect(databaseError(bug, aws)).toBe(bug);
  });
});

describe('listenError', () => {
  const address = { setting: 'PORT' as const, host: '192.0.2.1', port: 80 };
  test.each([
    ['EADDRINUSE', 'Port 80 of 192.0.2.1 is in use. Set PORT to another one; 0 takes any free port.'],
    ['EACCES', 'This user may not listen on port 80. Set PORT to a number above 1023.'],
    ['EADDRNOTAVAIL', 'HOST 192.0.2.1 is not an address of this machine.'],
  ])('listenError: describes %s in one line', (code, line) => {
    expect(listenError(failure('Error', code, { code }), address)).toMatchObject({
      name: 'StartError',
      message: line,
    });
  });

  test('listenError: returns an unknown error unchanged', () => {
    const unknown = new Error('?');
    expect(listenError(unknown, address)).toBe(unknown);
  });
});
