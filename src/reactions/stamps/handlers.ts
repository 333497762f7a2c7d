import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { StreamHandler } from '../../stream/change.ts';
import { clearStamps } from './clearing.ts';

/** Clears away what deleted messages leave: their stamps, which no answer shows any more. */
export const createClearingHandler = ({ dynamo }: { readonly dynamo: Dynamo }): StreamHandler => ({
  name: 'clearing',
  itemTypes: ['root', 'reply'],
  async handle(changes) {
    for (const { key, old, new: message } of changes) {
      if (key.type !== 'root' && key.type !== 'reply') continue;
      const deleted = message?.deletedAt !== undefined && old?.deletedAt === undefined;
      if (deleted) await clearStamps(dynamo, key);
    }
  },
});
