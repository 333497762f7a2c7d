/**
 * Does a page that is open for an hour in a busy room grow?
 *
 * A user reads the end of a room in Chromium, into which another sends RATE messages a second, for MINUTES. The page,
 * the server, its database and this process, which only sends, are separate. Each minute: the heap of the page after a
 * collection of garbage, the DOM nodes and listeners that the browser has for it, and the tasks over 100 ms. It fails
 * if the page does not show the newest message at the end of a minute.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installProgram } from '../test/support/builds/build.ts';
import { launchBrowser } from '../test/support/clients/browser.ts';
import { createClient } from '../test/support/clients/client.ts';
import { CreateRoom, JoinRoom } from '../test/support/clients/operations.ts';
import { tokenFor } from '../test/support/clients/tokens.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { recordResult } from './results.ts';
import { startSender } from './sender.ts';
import { printTable, type Row, rounded } from './support.ts';

const MINUTES = Math.min(120, Math.max(1, Number(process.env.MINUTES ?? 10)));
const RATE = Number(process.env.RATE ?? 20);
const MINUTE_MS = 60_000;
const LONG_TASK_MS = 100;
/** How long a message may take to the screen, in milliseconds. */
const SHOWN_MS = 30_000;
/** Words, lines and code, as people write. */
const BODIES = [
  (i: number) => `Message ${i}.`,
  (i: number) => `${i}: ${'some words of a longer message '.repeat(8)}`,
  (i: number) => `**${i}** with _marks_, a [link](https://example.com/${i}) and :tada:`,
  (i: number) => `${i}\n\`\`\`ts\n${'const one = 1;\n'.repeat(6)}\`\`\``,
] as const;

const WATCH = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > ${LONG_TASK_MS}) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });`;

const directory = await mkdtemp(join(tmpdir(), 'tsudoi-bench-'));
const database = await openTestDynamo({ file: true });
const program = await installProgram(directory);
const sender = await startSender({ database, sub: 'author', width: 16, program });
const author = createClient(sender.url, await tokenFor('author'));
const { createRoom } = await author.do(CreateRoom, { input: { name: 'Flood', visibility: 'PUBLIC' } });
const roomId = createRoom.room.id;
const reader = createClient(sender.url, await tokenFor('reader'));
await reader.do(JoinRoom, { roomId });
await Promise.all([author.close(), reader.close()]);

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(SHOWN_MS);
await page.goto(`${sender.url}/healthz`);
await page.evaluate(
  `sessionStorage.setItem('tsudoi:token', ${JSON.stringify(await tokenFor('reader', '3 hours'))})`,
);
await page.addInitScript(WATCH);
await page.goto(`${sender.url}/rooms/${encodeURIComponent(roomId)}`);
await page.locator('#main textarea').click();
const devtools = await page.context().newCDPSession(page);

let sent = 0;
const send = () => {
  const i = sent++;
  const bodyOf = BODIES[i % BODIES.length] ?? BODIES[0];
  return sender.respond(roomId, bodyOf(i));
};

/** Sends at the rate for a minute, however long each takes, and waits until all are stored. */
async function flood(): Promise<void> {
  const start = performance.now();
  const waiting: Promise<unknown>[] = [];
  for (let i = 0; i < (RATE * MINUTE_MS) / 1_000; i++) {
    const early = start + (i * 1_000) / RATE - performance.now();
    if (early > 0) await wait(early);
    waiting.push(send());
  }
  await Promise.all(waiting);
}

async function look(minute: number): Promise<Row> {
  const body = `Minute ${minute} is over.`;
  await sender.respond(roomId, body);
  await page.getByRole('article').filter({ hasText: body }).waitFor();
  const tasks = await page.evaluate<readonly number[]>('window.longTasks');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  // A collection is a long task as well.
  await page.evaluate('window.longTasks = []');
  return {
    minute,
    'messages so far': sent,
    'heap, MB': rounded(usedSize / 1_000_000),
    'DOM nodes': nodes,
    listeners: jsEventListeners,
    'tasks over 100 ms': tasks.length,
    'longest, ms': rounded(Math.max(0, ...tasks), 0),
  };
}

const table: Row[] = [await look(0)];
for (let minute = 1; minute <= MINUTES; minute++) {
  await flood();
  const row = await look(minute);
  table.push(row);
  process.stderr.write(`${JSON.stringify(row)}\n`);
}
await browser.close();
await sender.stop();
await database.stop();
await rm(directory, { recursive: true, force: true });
if (sent !== RATE * 60 * MINUTES) throw new Error(`${sent} messages were sent.`);
printTable(`A page in a room with ${RATE} messages a second`, table);
recordResult('flood', table);
