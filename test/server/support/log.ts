import { createLog, type Log } from '../../../src/core/log.ts';

/** A log whose lines a test can read. */
export function createRecordedLog(): {
  log: Log;
  lines: () => Array<Record<string, unknown>>;
  text: () => string;
} {
  let text = '';
  const to = {
    write(line: string) {
      text += line;
    },
  };
  const log = createLog({ level: 'debug', to });
  return {
    log,
    text: () => text,
    lines: () =>
      text
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
