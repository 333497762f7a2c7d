/** What a server loads for traces, by V8's own list of the scripts that it ran. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startCollector } from '../app/support/collector.ts';
import { UnreadNow } from '../support/clients/operations.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { clientAt, deployed, run } from './support/run.ts';

/** A text in the files of OpenTelemetry that stays when they are bundled. */
const OF_OPENTELEMETRY = 'application/x-protobuf';

/** The files with OpenTelemetry that a server had loaded when it stopped, after an operation. */
async function loadedBy(env: Readonly<Record<string, string>>): Promise<string[]> {
  const [database, scripts] = await Promise.all([openTestDynamo({ file: true }), temporaryDirectory()]);
  onTestFinished(() => database.stop());
  const server = await run({
    env: deployed({
      DYNAMODB_ENDPOINT: database.endpoint,
      TABLE_NAME: database.table,
      NODE_V8_COVERAGE: scripts,
      ...env,
    }),
  });
  const aki = await clientAt((await server.ready()).url, 'aki');
  await aki.do(UnreadNow);
  server.signal('SIGTERM');
  await server.ended;
  const files = new Set<string>();
  for (const name of await readdir(scripts)) {
    const { result } = JSON.parse(await readFile(`${scripts}/${name}`, 'utf8'));
    for (const { url } of result) if (url.startsWith('file:')) files.add(fileURLToPath(url));
  }
  expect(files.size).toBeGreaterThan(0);
  const texts = await Promise.all(
    [...files].map(async (file) => [file, await readFile(file, 'utf8')] as const),
  );
  return texts.filter(([, text]) => text.includes(OF_OPENTELEMETRY)).map(([file]) => file);
}

test('without a collector nothing of OpenTelemetry is loaded; with one, it gets the headers', async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.stop());
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=chat',
  };
  expect(await loadedBy(traces)).not.toEqual([]);
  expect(collector.headers()).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'chat' });
  expect(await loadedBy({})).toEqual([]);
});
