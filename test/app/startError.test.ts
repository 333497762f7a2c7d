import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/app/database.ts';
import { databaseError, listenError } from '../../src/app/startError.ts';
import { loadConfig } from '../../src/config.ts';
import { StartError } from '../../src/core/errors.ts';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { openTestDynamo } from '../support/dynamo.ts';

const failure = (name: string, message: string, fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });
const aws = { kind: 'aws', region: 'eu-central-1' } as const;

describe('what keeps the table from being had', () => {
  test.each([
    [
      'no credentials',
      failure('CredentialsProviderError', 'Could not load credentials from any providers'),
      'There are no AWS credentials for DynamoDB in eu-central-1: Could not load credentials from any providers',
    ],
    [
      'no permission',
      failure('AccessDeniedException', 'You may not.', { $fault: 'client' }),
      'DynamoDB in eu-central-1 refuses: AccessDeniedException: You may not.',
    ],
    [
      'no way there',
      failure('Error', '', { code: 'ENOTFOUND' }),
      'DynamoDB in eu-central-1 does not answer (ENOTFOUND). Can this machine reach AWS? AWS_REGION says which region.',
    ],
  ])('%s: is said in one line', (_what, error, line) => {
    const said = databaseError(error, aws);
    expect(said).toBeInstanceOf(StartError);
    expect(said).toMatchObject({ message: line, cause: error });
  });

  test('an address is shown without the password in it', () => {
    const endpoint = 'http://somebody:secret@db.example.com:8000/path';
    const said = databaseError(failure('TimeoutError', ''), { kind: 'endpoint', endpoint });
    expect(String(said)).toContain('http://db.example.com:8000 ');
    expect(String(said)).not.toContain('secret');
  });

  test('a table of another program is left alone', async () => {
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

  test('a fault of ours stays what it is', () => {
    const fault = new TypeError('x is not a function');
    expect(databaseError(fault, aws)).toBe(fault);
  });
});

describe('what keeps the port from being bound', () => {
  const address = { host: '192.0.2.1', port: 80 };
  test.each([
    ['EADDRINUSE', 'Port 80 of 192.0.2.1 is taken. Set PORT to another one; 0 takes any that is free.'],
    ['EACCES', 'This user may not listen on port 80. Set PORT to one above 1023.'],
    ['EADDRNOTAVAIL', 'HOST 192.0.2.1 is no address of this machine.'],
  ])('%s: is said in one line', (code, line) => {
    expect(listenError(failure('Error', code, { code }), address)).toMatchObject({
      name: 'StartError',
      message: line,
    });
  });

  test('anything else stays what it is', () => {
    const fault = new Error('?');
    expect(listenError(fault, address)).toBe(fault);
  });
});
