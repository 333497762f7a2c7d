import type { Change } from '../../../src/stream/change.ts';
import { createDispatcher, type DispatcherOptions } from '../../../src/stream/dispatcher.ts';
import { hastyClock } from '../../support/time/clock.ts';
import { silent } from './stream.ts';

interface DeadLetter {
  readonly change: Change;
  readonly handler: string;
  readonly error: unknown;
}

/** A dispatcher whose backoffs are short, and the dead letters that it has written. */
export function setup(options: Partial<DispatcherOptions> & Pick<DispatcherOptions, 'handlers'>) {
  const deadLetters: DeadLetter[] = [];
  const dispatcher = createDispatcher({
    deadLetter: async (change, handler, error) => {
      deadLetters.push({ change, handler, error });
    },
    log: silent,
    clock: hastyClock,
    ...options,
  });
  return { dispatcher, deadLetters };
}

/** For a recorder's `fail`: refuses calls with these sequence numbers in them. */
export const isPoison = (poison: ReadonlySet<string>) => (changes: readonly Change[]) => {
  if (changes.some(({ sequence }) => poison.has(sequence))) throw new Error('cannot digest this');
};
