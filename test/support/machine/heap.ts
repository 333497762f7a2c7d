import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The largest growth of the heap since the meter was created, in bytes, without garbage. */
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
