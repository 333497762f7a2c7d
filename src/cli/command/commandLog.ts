import { createLog, type ErrorFields, type Log } from '../../core/log.ts';

/** An outage is over if nothing was said about one for this long, in milliseconds. */
const OVER_MS = 30_000;
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg?: string;
  readonly err?: ErrorFields;
}

export interface CommandLogOptions {
  readonly write: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The log of a command, for people: a sentence a line, and one line for each outage, although many parts of the program
 * notice it. Any other error keeps all that is known of it.
 */
export function createCommandLog({ write, now = Date.now }: CommandLogOptions): Log {
  let outageAt = Number.NEGATIVE_INFINITY;

  function print(text: string): void {
    const { level, msg, err } = JSON.parse(text) as Line;
    if (level < WARN) return;
    const reason = err === undefined ? undefined : outageOf(err);
    if (reason === undefined) {
      write(err === undefined ? `${msg}\n` : text);
      return;
    }
    const isNew = now() - outageAt > OVER_MS;
    outageAt = now();
    if (isNew) write(`${msg} (${reason})\n`);
  }

  return createLog({ level: 'warn', to: { write: print } });
}

/** Why something does not respond. Undefined: it is another error. */
function outageOf(err: ErrorFields): string | undefined {
  if (err.error !== 'OutageError') return undefined;
  // Its own code is of the API.
  let reason: string = err.error;
  for (let cause = err.cause; cause !== undefined; cause = cause.cause) reason = cause.code ?? cause.error;
  return reason;
}
