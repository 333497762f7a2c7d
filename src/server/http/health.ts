import { inTime, systemClock } from '../../core/clock.ts';

/** The state of something that the server depends on. Every client can read `detail`: no secrets, no addresses. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly detail?: string;
  /** False if the server can do its main work without it. Then `/readyz` does not return 503 for it. */
  readonly required?: boolean;
}

export type HealthCheck = () => Promise<Record<string, DependencyHealth>>;

export interface Readiness {
  readonly ok: boolean;
  /** Only if it is true. */
  readonly stopping?: true;
  readonly dependencies: Record<string, DependencyHealth>;
}

const FRESH_MS = 1_000;
/** Instead of the dependencies, if the check fails or takes too long. */
const NO_RESPONSE: Readiness['dependencies'] = { checks: { ok: false, detail: 'did not respond' } };

export interface ReadinessOptions {
  readonly timeoutMs: number;
  readonly isStopping: () => boolean;
}

/**
 * Checks the dependencies at most once a second, however many requests ask. A check that takes longer than
 * `timeoutMs` counts as failed. A server that is stopping is not ready.
 */
export function createReadiness(
  check: HealthCheck,
  { timeoutMs, isStopping }: ReadinessOptions,
): () => Promise<Readiness> {
  let latest: Promise<Readiness> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (latest === undefined || now - checkedAt > FRESH_MS) {
      checkedAt = now;
      latest = runCheck(check, timeoutMs);
    }
    const state = await latest;
    return isStopping() ? { ...state, ok: false, stopping: true } : state;
  };
}

async function runCheck(check: HealthCheck, timeoutMs: number): Promise<Readiness> {
  try {
    const dependencies = await inTime(systemClock, timeoutMs, check(), NO_RESPONSE);
    const ok = Object.values(dependencies).every((one) => one.ok || one.required === false);
    return { ok, dependencies };
  } catch {
    return { ok: false, dependencies: NO_RESPONSE };
  }
}
