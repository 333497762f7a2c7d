/** Keeps more and more memory until the watch says that little is left, and exits with 0 then. */
import { setImmediate as turn } from 'node:timers/promises';
import { watchMemory } from '../../../src/server/memory.ts';

const memory = watchMemory();
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
memory.stop();
