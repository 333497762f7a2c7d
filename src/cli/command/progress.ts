import { SingleBar } from 'cli-progress';

export interface ProgressOptions {
  /** The noun of the counted things, in the plural. */
  readonly what: string;
  /** Absent: unknown. */
  readonly total?: number;
  /** If standard error is not a terminal: a line every few seconds, of text or of JSON, or nothing. */
  readonly elsewhere: 'lines' | 'json' | 'nothing';
}

export interface Progress {
  add(count: number): void;
  /** Another total than was thought. */
  expect(total: number): void;
  /** Call it in any case: it restores the terminal. */
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/**
 * A bar on standard error, because standard output is for a command's results. It appears with the first count, so
 * that a command which refuses to begin prints only its reason.
 */
export function showProgress(options: ProgressOptions): Progress {
  const { what, total, elsewhere } = options;
  if (elsewhere === 'json' && process.stderr.isTTY !== true) return jsonProgress(options);
  const bar = new SingleBar({
    format:
      total === undefined
        ? `{value} ${what}`
        : `{bar} {percentage}%  {value} of {total} ${what}{eta_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    etaBuffer: 100,
    gracefulExit: false,
    noTTYOutput: elsewhere === 'lines',
    notTTYSchedule: LINE_EVERY_MS,
    // Text until something was counted, and while the estimate is infinite.
    formatTime: (seconds: unknown) => (typeof seconds === 'number' ? `  ${timeText(seconds)} left` : ''),
    formatValue: (value, _options, type) =>
      type === 'percentage' ? String(value) : value.toLocaleString('en'),
  });
  let begun = false;
  let done = 0;
  let all = total;
  return {
    add(count) {
      if (!begun) bar.start(all ?? 0, 0);
      begun = true;
      done += count;
      // It was an estimate. A bar that is full says that the rest is not known.
      if (all !== undefined && done > all) bar.setTotal(done);
      bar.increment(count);
    },
    expect(expected) {
      all = expected;
      if (begun) bar.setTotal(Math.max(done, expected));
    },
    stop() {
      if (begun) bar.stop();
    },
  };
}

/** `8s`, `45s`, `2m05s` or `1h20m`: from ten seconds on rounded to five, so that it does not flicker. */
export function timeText(seconds: number): string {
  if (seconds <= 10) return `${seconds}s`;
  const rounded = 5 * Math.round(seconds / 5);
  const minutes = Math.floor(rounded / 60);
  const two = (number: number) => String(number).padStart(2, '0');
  if (minutes === 0) return `${rounded}s`;
  return minutes < 60
    ? `${minutes}m${two(rounded % 60)}s`
    : `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

/** A line every few seconds, and at the end. */
function jsonProgress({ what, total: first }: ProgressOptions): Progress {
  let total = first;
  const startedAt = performance.now();
  let done = 0;
  let shown: number | undefined;
  let shownAt = startedAt;
  function show(): void {
    if (shown === done) return;
    shown = done;
    shownAt = performance.now();
    const seconds = (shownAt - startedAt) / 1_000;
    process.stderr.write(`${progressLine({ done, total, what, seconds })}\n`);
  }
  return {
    add(count) {
      done += count;
      if (performance.now() - shownAt >= LINE_EVERY_MS) show();
    },
    expect(expected) {
      total = expected;
    },
    stop: show,
  };
}

export interface LineOptions {
  readonly done: number;
  /** An estimate. */
  readonly total: number | undefined;
  readonly what: string;
  /** Since the beginning. */
  readonly seconds: number;
}

/**
 * `{"done":1200,"total":5000,"what":"messages","remainingSeconds":3}`. If more is done than was thought to be there, it
 * is not known how much is left: without `total` then.
 */
export function progressLine({ done, total, what, seconds }: LineOptions): string {
  if (total === undefined || done > total) return JSON.stringify({ done, what });
  const left = done === 0 ? {} : { remainingSeconds: Math.round(((total - done) * seconds) / done) };
  return JSON.stringify({ done, total, what, ...left });
}
