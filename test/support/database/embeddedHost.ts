/**
 * A server reduced to its database, for tests to kill. Starts the embedded database in the directory that is its
 * argument and prints its endpoint, then writes one item after the other and prints each one that is acknowledged. On
 * SIGTERM it writes a last item, stops the database, prints the process id that it had, and ends.
 */
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { pino } from 'pino';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { createClient } from '../../../src/dynamo/client.ts';
import { ensureTable } from '../../../src/dynamo/ensureTable.ts';

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const [dataDir = ''] = process.argv.slice(2);
let stopping = false;
process.on('SIGTERM', () => {
  stopping = true;
});

const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
const client = createClient({ endpoint: embedded.endpoint, gate: embedded.gate });
await ensureTable(client, 'host');
say({ pid: embedded.pid, endpoint: embedded.endpoint });

const write = async (sk: string) => {
  await client.send(new PutItemCommand({ TableName: 'host', Item: { pk: { S: 'written' }, sk: { S: sk } } }));
  say({ written: sk });
};
for (let n = 0; !stopping; n++) await write(String(n));
await write('after SIGTERM');
const { pid } = embedded;
await embedded.stop();
say({ stopped: pid });
