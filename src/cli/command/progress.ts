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
    expect(expected) {
      if (begun) bar.setTotal(expected);
    },
    stop() {
      if (begun) bar.stop();
    },
  };
}

/** `{"done":1200,"total":5000,"what":"messages","remainingSeconds":3}` every few seconds, and at the end. */
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
    const left = total === undefined || done === 0 ? {} : { remainingSeconds: leftOf(done, total, seconds) };
    process.stderr.write(`${JSON.stringify({ done, total, what, ...left })}\n`);
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

const leftOf = (done: number, total: number, seconds: number): number =>
  Math.round(((total - done) * seconds) / done);
