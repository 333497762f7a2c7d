import { topic } from '../../../src/bus/bus.ts';
import { createRedisBus } from '../../../src/bus/redis/bus.ts';
import { next, recordingLog } from './bus.ts';

// A process that must end by itself once its buses are closed: one that was up, one that never was, and one that was
// closed at once. Its argument is the URL of a Redis.
const { log } = recordingLog();
const HOUR_MS = 3_600_000;
const open = (url: string) =>
  createRedisBus({ url, prefix: 'closing:', log, heartbeatMs: HOUR_MS, timeoutMs: HOUR_MS });
const [url = ''] = process.argv.slice(2);

const used = open(url);
await used.subscribe(topic<number>('numbers'), () => {});
const never = open('redis://127.0.0.1:1');
await next(never, 'onDown');
const closedAtOnce = open(url);
await Promise.all([used.close(), never.close(), closedAtOnce.close()]);
process.stdout.write('closed\n');
