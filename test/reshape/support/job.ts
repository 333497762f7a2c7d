import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keyOf, keys, parseKey } from '../../../src/dynamo/keys.ts';
import { createJobControl } from '../../../src/jobs/control.ts';
import { createConversionJob, type Progress, progressOf } from '../../../src/reshape/conversionJob.ts';
import { createReshaping } from '../../../src/reshape/reshaping.ts';
import { hastyClock } from '../../support/time/clock.ts';

/** The commands, and the job without a host: its steps are called one by one. */
export function createRehearsal(dynamo: Dynamo) {
  let time = 1_000_000;
  const now = () => time + performance.now();
  const reshaping = createReshaping({ dynamo, control: createJobControl({ dynamo, now }), now });
  let cursor: string | null = null;
  /** One process has one job, which keeps what it has read for the next step. */
  const job = createConversionJob({ dynamo, now, clock: hastyClock });

  /** One step of the change's job. Resolves to false at its end. `own`: that of a process that does nothing else. */
  async function step(version: number, own: Dynamo = dynamo): Promise<boolean> {
    // Longer than a step of another process could take.
    time += 20_000;
    const process = own === dynamo ? job : createConversionJob({ dynamo: own, now, clock: hastyClock });
    const next = await process.step({ version }, cursor);
    cursor = next === null || typeof next === 'string' ? next : next.cursor;
    return next !== null;
  }

  /** The steps that are left of the change that is under way. */
  async function goOn(): Promise<Progress> {
    const { version } = await reshaping.status();
    let last = progressOf(cursor);
    while (await step(version)) last = progressOf(cursor);
    return last;
  }

  return {
    ...reshaping,
    now,
    step,
    goOn,
    /** All steps of the change that is under way. */
    async convert(): Promise<Progress> {
      cursor = null;
      return goOn();
    },
    /** `from`: the cursor that a job has stored. */
    begin(from: string | null = null) {
      cursor = from;
    },
  };
}

/** All messages and bodies of the table, by key, without versions of jobs and shapes. */
export async function messagesIn(dynamo: Dynamo): Promise<Record<string, Item>> {
  const found: Record<string, Item> = {};
  for await (const item of dynamo.scan({})) {
    const { type } = parseKey(keyOf(item));
    if (type === 'root' || type === 'reply' || type === 'body') found[`${item.pk} ${item.sk}`] = item;
  }
  return found;
}

/** As a release leaves a table that did not know shapes. */
export const withoutShape = (dynamo: Dynamo): Promise<void> => dynamo.remove(keys.shape());
