/** Faults of the database while deliveries are gathered and decided. */
import fc from 'fast-check';
import { OutageError } from '../../../src/core/errors.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';

/** What happens to a transaction that gathers or decides. `act`: someone replies, and it is derived before it. */
export const faults = fc.infiniteStream(
  fc.constantFrom('none', 'none', 'none', 'outage before', 'outage after', 'act'),
);
export type Fault = typeof faults extends fc.Arbitrary<Iterator<infer T>> ? T : never;

/** Breaks transactions of deliveries. Nothing else. */
export function createFaults() {
  let next: () => Fault = () => 'none';
  let meanwhile: (() => Promise<void>) | undefined;
  const isOwn = (writes: object) => ['gathering', 'gatherings', 'move'].some((name) => name in writes);
  const through = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    async tryTransact(writes, options) {
      const fault = isOwn(writes) ? next() : 'none';
      if (fault === 'outage before') throw new OutageError();
      // A handler of the stream would wait for itself.
      if (fault === 'act' && 'gatherings' in writes) await meanwhile?.();
      const failed = await dynamo.tryTransact(writes, options);
      if (fault === 'outage after') throw new OutageError();
      return failed;
    },
  });
  return {
    through,
    begin(stream: Iterator<Fault>, doAct: () => Promise<void>) {
      next = () => stream.next().value as Fault;
      meanwhile = doAct;
    },
    end() {
      next = () => 'none';
      meanwhile = undefined;
    },
  };
}
