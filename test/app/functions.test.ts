/** The functions as AWS calls them: a process with the build, its environment, and what it logs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_EVENTS } from '../../src/core/logEvents.ts';
import { SEND_KIND } from '../../src/delivery/channels/send.ts';
import { timerItem } from '../../src/timers/timer.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { openTimers, set } from '../timers/support/timers.ts';
import { callFunction } from './support/callFunction.ts';
import { startCollector } from './support/collector.ts';

test('lambda.timers: handles timers without Redis, and logs how late the oldest one is', async () => {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  // No process knows its kind, so it is tried again later.
  await set(database.dynamo, { id: 'one', due: Date.now() });

  const ended = await callFunction('timers', {
    DYNAMODB_ENDPOINT: database.endpoint,
    TABLE_NAME: database.table,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  expect({ ...ended, stderr: '' }).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(ended.lines.filter(({ event }) => event !== undefined)).toMatchObject([
    { event: LOG_EVENTS.timers, active: true, overdueMs: 0 },
  ]);
  expect(await openTimers(database.dynamo)).toMatchObject([{ failures: { count: 1 } }]);
});

test('lambda.timers: says that there is no table of this name', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  const environment = {
    DYNAMODB_ENDPOINT: database.endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  const missing = await callFunction('timers', { ...environment, TABLE_NAME: 'missing' });
  expect(missing).toMatchObject({
    code: 1,
    stdout:
      'There is no table missing at the endpoint. Functions create none: correct TABLE_NAME, or create it first.',
  });
});

/** Secrets Manager's protocol, as far as one request needs it. */
async function serveSecret(text: string) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await request.setEncoding('utf8').reduce((all: string, part: string) => all + part, '');
    asked.push({ target: request.headers['x-amz-target'], ...JSON.parse(body) });
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ Name: 'settings', SecretString: text }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const environment = {
    SETTINGS_SECRET: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:settings-AbCdEf',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LOG_LEVEL: 'silent',
  };
  return { asked, environment };
}

test('withSecrets: a function gets its settings from the secret, and no others', async () => {
  const { asked, environment } = await serveSecret(
    JSON.stringify({ AUTH_SECRET: 'too short', VAPID_PRIVATE_KEY: 'not a key', WEBHOOKS: 'not a list' }),
  );
  const ended = await callFunction('timers', environment);
  expect(asked).toEqual([{ target: 'secretsmanager.GetSecretValue', SecretId: environment.SETTINGS_SECRET }]);
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.stdout).toMatch(/VAPID_PRIVATE_KEY must be[\s\S]*WEBHOOKS must be/);
  expect(ended.stdout).not.toContain('AUTH_SECRET');
});

test('lambda.timers: sends its traces before it returns, with the headers of the secret', async () => {
  const [database, collector] = await Promise.all([openTestDynamo({ file: true }), startCollector()]);
  onTestFinished(async () => {
    await Promise.all([database.stop(), collector.stop()]);
  });
  // Without what the kind needs, so its handler fails.
  await database.dynamo.put(
    timerItem({ id: 'broken', kind: SEND_KIND, due: Date.now(), about: {}, owner: 'o' }),
  );
  const { environment } = await serveSecret(
    JSON.stringify({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc' }),
  );
  const ended = await callFunction('timers', {
    ...environment,
    DYNAMODB_ENDPOINT: database.endpoint,
    TABLE_NAME: database.table,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'chat',
  });
  expect({ ...ended, stderr: '' }).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  const [timer, ...more] = collector.spans.filter(({ name }) => name === `timer: ${SEND_KIND}`);
  expect(more).toEqual([]);
  expect(timer).toMatchObject({ service: 'chat', parentId: '', failed: true });
  expect(collector.headers()).toMatchObject({ authorization: 'Bearer abc' });
});

test('withSecrets: a secret of another form is refused, and not quoted', async () => {
  for (const text of ['the secret itself', '["the secret itself"]', '{"WEBHOOKS":["the secret itself"]}']) {
    const { environment } = await serveSecret(text);
    const ended = await callFunction('handler', environment);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toContain('The secret must be a JSON object');
    expect(ended.stdout + ended.stderr).not.toContain('the secret itself');
  }
});
