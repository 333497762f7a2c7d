import { createHealth, type Health } from '../core/health.ts';
import type { OutageLog } from '../core/log.ts';
import type { Change } from './change.ts';

/** What a log may say about a change: which item, never its content. */
export const changeFields = ({ sequence, kind, key }: Change) => ({ sequence, kind, key });

/** The health of something that the consumer retries until it works. */
export const retriedHealth = (log: OutageLog, what: string, fields: object = {}): Health =>
  createHealth({ log, fields, down: `${what} is down; retrying until it is back`, up: `${what} is back` });
