/** Keeps more and more memory until the watch says that little is left, and waits. Exits with 0 if all of it holds. */
import { setImmediate as turn } from 'node:timers/promises';
import { watchMemory } from '../../../src/server/memory.ts';

let waitedMs = 0;
const memory = watchMemory(() => performance.now() + waitedMs);
/** Garbage alone must not count: it is several times the limit of the heap. */
for (let i = 0; i < 500; i++) {
  JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at));
  await turn();
}
if (memory.isLow()) throw new Error('Garbage was counted.');
const kept: unknown[] = [];
while (!memory.isLow()) {
  kept.push(Array.from({ length: 2_000 }, (_, at) => ({ at })));
  await turn();
}
// The process may have released it since, without a collection.
waitedMs = 61_000;
if (memory.isLow()) throw new Error('An old measurement was believed.');
memory.stop();
