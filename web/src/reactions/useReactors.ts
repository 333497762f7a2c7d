import { useEffect, useState } from 'react';

/**
 * The users who reacted to a message, read by `read`, which must be memoized. Undefined until the first answer. Reads
 * again when the message has another version; meanwhile, and if that fails, it is the former answer.
 */
export function useReactors<T>(read: () => Promise<T>, version: number): T | undefined {
  const [reactors, setReactors] = useState<T>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the message has changed.
  useEffect(() => {
    let isOver = false;
    read().then(
      (found) => isOver || setReactors(found),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [read, version]);
  return reactors;
}
