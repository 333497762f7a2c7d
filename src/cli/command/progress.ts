import { SingleBar } from 'cli-progress';

export interface ProgressOptions {
  /** The noun of the counted things, in the plural. */
  readonly what: string;
  /** Absent: unknown. */
  readonly total?: number;
  /** If standard error is not a terminal: a line every few seconds, or nothing. */
  readonly elsewhere: 'lines' | 'nothing';
}

export interface Progress {
  add(count: number): void;
  /** Call it in any case: it restores the terminal. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/**
 * A bar on standard error, because standard output is for a command's results. It appears with the first count, so
 * that a command which refuses to begin prints only its reason.
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
