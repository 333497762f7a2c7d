/**
 * What does a webhook cost those who send, and does it matter whether it responds? Messages per second, and the
 * server's CPU for each, if each message mentions one of 30 members in turn:
 *
 *   none      the server has no webhook, and no one has a device: nothing is delivered
 *   responds  the webhook gets the mentions of everyone, and accepts them at once
 *   hangs     it takes every request and never responds, so everything that waits for it would be seen here
 *
 * Processes of the same code differ, and so do moments: the servers take turns, PROCESSES of each, and the figures are
 * the medians.
 */
import { encodeId } from '../src/graphql/ids.ts';
import { startReceiver } from '../test/delivery/support/receiver.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { startTestApp } from '../test/support/servers/app.ts';
import { recordResult } from './results.ts';
import { type Sent, startSender } from './sender.ts';
import { percentile, printTable, rounded } from './support.ts';

const WIDTH = 16;
const MEMBERS = 30;
const SENDS = 600;
const WARM_UP = 300;
const PROCESSES = 3;
const KINDS = ['none', 'responds', 'hangs'] as const;
type Kind = (typeof KINDS)[number];

const database = await openTestDynamo({ file: true });

async function fill(): Promise<string> {
  const app = await startTestApp({ database });
  const { users, rooms } = app.services;
  const ensure = (name: string) => users.ensure({ sub: name, handle: name });
  const { id } = await rooms.create(await ensure('sender'), {
    name: 'Bench',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  for (let i = 0; i < MEMBERS; i++) await rooms.join(await ensure(`member${i}`), id);
  await app.stop();
  return encodeId('Room', id);
}

const roomId = await fill();
const mention = (i: number) => `@member${i % MEMBERS} Message ${i}`;

/** One server, from its start to its end. `requests`: what the webhook was sent. */
async function measure(kind: Kind): Promise<Sent & { readonly requests: number }> {
  const receiver = await startReceiver();
  if (kind === 'hangs') receiver.respond(() => 'hang');
  const webhooks = JSON.stringify([{ url: receiver.url, secret: receiver.secret }]);
  const sender = await startSender({
    database,
    sub: 'sender',
    width: WIDTH,
    env: {
      // Decided at once, so that requests are made while others send.
      DELIVERY_WINDOWS: 'MENTION=0s/1s',
      ...(kind === 'none' ? {} : { WEBHOOKS: webhooks, WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' }),
    },
  });
  try {
    await sender.send(roomId, WARM_UP, mention);
    const sent = await sender.send(roomId, SENDS, mention);
    const requests = receiver.requests.length;
    if (requests > 0 !== (kind !== 'none')) throw new Error(`${kind}: the webhook had ${requests} requests.`);
    return { ...sent, requests };
  } finally {
    receiver.release();
    await sender.stop();
    await receiver.stop();
  }
}

const results = new Map<Kind, Array<Awaited<ReturnType<typeof measure>>>>(KINDS.map((kind) => [kind, []]));
for (let turn = 0; turn < PROCESSES; turn++) {
  // Each time another one is the first.
  const first = turn % KINDS.length;
  for (const kind of [...KINDS.slice(first), ...KINDS.slice(0, first)])
    results.get(kind)?.push(await measure(kind));
}
await database.stop();

const median = (kind: Kind, of: (sent: Awaited<ReturnType<typeof measure>>) => number) =>
  percentile((results.get(kind) ?? []).map(of), 50);
const rows = KINDS.map((kind) => {
  const [rate, cpu] = [median(kind, (sent) => sent.rate), median(kind, (sent) => sent.cpuMs)];
  return {
    webhook: kind,
    'sends per second': rounded(rate),
    "server's CPU per send, ms": rounded(cpu, 2),
    'time, none = 1': rounded(median('none', (sent) => sent.rate) / rate, 2),
    'CPU, none = 1': rounded(cpu / median('none', (sent) => sent.cpuMs), 2),
    'time, responds = 1': rounded(median('responds', (sent) => sent.rate) / rate, 2),
    'requests to it': median(kind, (sent) => sent.requests),
  };
});
printTable(
  `Sends that mention someone, ${WIDTH} at a time (${PROCESSES} servers of each, ${SENDS} sends)`,
  rows,
);
recordResult('webhook', rows);
