import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The growth of the heap since the meter was created, in bytes, without garbage. */
export function createHeapMeter() {
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const start = used();
  const grown: number[] = [];
  return {
    sample(): void {
      grown.push(used() - start);
    },
    /**
     * The largest growth that lasted for this number of samples in a row. Other parts of the process hold megabytes for
     * a moment: the requests in flight, for example. Default: 1, the largest of all.
     */
    peak(lasting = 1): number {
      const starts = grown.slice(0, Math.max(1, grown.length - lasting + 1));
      return Math.max(0, ...starts.map((_, i) => Math.min(...grown.slice(i, i + lasting))));
    },
  };
}
