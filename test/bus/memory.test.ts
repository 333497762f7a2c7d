import { createMemoryBus } from '../../src/bus/memory.ts';
import { busContract } from '../contract/bus.ts';
import { recordingLog } from './support/bus.ts';

busContract('createMemoryBus', async () => {
  const { log, lines } = recordingLog();
  const bus = createMemoryBus({ log });
  return { a: bus, b: bus, lines };
});
