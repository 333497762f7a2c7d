import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is still in use, garbage left out, beyond what was in use when it was made: bytes, at its highest. */
export function createHeapMeter() {
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const start = used();
  let most = 0;
  return {
    sample(): void {
      most = Math.max(most, used() - start);
    },
    peak: (): number => most,
  };
}
