import { SingleBar } from 'cli-progress';

export interface ProgressOptions {
  /** What is counted, in the plural. */
  readonly what: string;
  /** Absent: nobody knows. */
  readonly total?: number;
  /** Where nobody watches (standard error is no terminal): a line every few seconds, or nothing. */
  readonly elsewhere: 'lines' | 'nothing';
}

export interface Progress {
  add(count: number): void;
  /** Call it whatever happened: it gives the terminal back. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/**
 * A bar on standard error: standard output is for what a command answers. It appears with the first of what is
 * counted, so that a command which refuses to begin only says why.
 */
export function showProgress({ what, total, elsewhere }: ProgressOptions): Progress {
  const bar = new SingleBar({
    format:
      total === undefined
        ? `{value} ${what}`
        : `{bar} {percentage}%  {value} of {total} ${what}  {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    etaBuffer: 100,
    gracefulExit: false,
    noTTYOutput: elsewhere === 'lines',
    notTTYSchedule: LINE_EVERY_MS,
    formatValue: (value, _options, type) =>
      type === 'percentage' ? String(value) : value.toLocaleString('en'),
  });
  let begun = false;
  return {
    add(count) {
      if (!begun) bar.start(total ?? 0, 0);
      begun = true;
      bar.increment(count);
    },
    stop() {
      if (begun) bar.stop();
    },
  };
}
