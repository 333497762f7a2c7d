import { currentCaller } from '../core/work.ts';

/** How many calls each user has open, those that wait among them. Background work is as one user more. */
export function createOpenCalls() {
  const open = new Map<string | undefined, number>();
  return {
    /** Those of the user whose operation runs now. */
    own: () => open.get(currentCaller()) ?? 0,
    async count<T>(run: () => Promise<T>): Promise<T> {
      const caller = currentCaller();
      open.set(caller, (open.get(caller) ?? 0) + 1);
      try {
        return await run();
      } finally {
        const left = (open.get(caller) ?? 1) - 1;
        if (left === 0) open.delete(caller);
        else open.set(caller, left);
      }
    },
  };
}
