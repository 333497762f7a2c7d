import type { IncomingMessage } from 'node:http';
import { newId } from '../../core/ids.ts';

/** A caller's own `x-request-id`, where it is one that may stand in a log line; else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newId();
}
