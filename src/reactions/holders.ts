/** Shared by the kinds of reactions: the users who reacted to a message are read once for all readers of an event. */
import type { Message } from '../messages/message.ts';

/** If a message has more reactions, each subscriber's own reaction is read. */
const HOLDERS_MAX = 1_000;
/** The own reactions of fewer subscribers fit into one or two batches. */
const READERS_MIN = 50;

export const isWorthReading = (count: number, readers: number): boolean =>
  readers >= READERS_MIN && count <= Math.min(readers, HOLDERS_MAX);

export const NO_USERS: ReadonlySet<string> = new Set();

/** One reading for each message that was read: the readers of an event have the same object. */
export function oncePerMessage<T>(
  read: (message: Message, readers: number) => Promise<T>,
): (message: Message, readers: number) => Promise<T> {
  const readings = new WeakMap<Message, Promise<T>>();
  return (message, readers) => {
    const reading = readings.get(message) ?? read(message, readers);
    readings.set(message, reading);
    return reading;
  };
}
