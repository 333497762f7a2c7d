import { keys } from '../dynamo/keys.ts';
import { counterOf } from '../rooms/room.ts';
import type { Audit } from '../verify/audit.ts';

/** A room's counter has the last position that was assigned to a root. */
export const positionsAudit: Audit = {
  name: 'positions',
  says(key, item) {
    if (key.type !== 'counter') return undefined;
    const { messageCount, changeCount } = counterOf(item);
    return { counts: { messageCount }, version: String(changeCount) };
  },
  votes(key, { position }) {
    if (key.type !== 'root' || typeof position !== 'number') return [];
    return [{ in: keys.counter(key.room), name: 'messageCount', atLeast: position }];
  },
  // With a number that no log entry has: servers that show the room find a gap, and readers read it again.
  mend: ({ changeCount }, { messageCount }) => ({
    update: 'SET messageCount = :counted, changeCount = changeCount + :one',
    condition: 'changeCount = :changes',
    values: { ':counted': messageCount, ':changes': changeCount, ':one': 1 },
  }),
};
