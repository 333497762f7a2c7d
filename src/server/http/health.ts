/** How something the server depends on is. `detail` is shown to whoever asks: no secrets, no addresses. */
export interface DependencyHealth {
  readonly ok: boolean;
  readonly detail?: string;
  /** False where the server does its main work without it: then it does not make `/readyz` answer 503. */
  readonly required?: boolean;
}

export type HealthCheck = () => Promise<Record<string, DependencyHealth>>;

export interface Readiness {
  readonly ok: boolean;
  readonly dependencies: Record<string, DependencyHealth>;
}

const FRESH_MS = 1_000;

/**
 * Asks how the dependencies are, at most once a second however many ask, and waits for `timeoutMs` at
 * most: a check that does not answer is an answer, too.
 */
export function createReadiness(check: HealthCheck, timeoutMs: number): () => Promise<Readiness> {
  let latest: Promise<Readiness> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - askedAt > FRESH_MS) {
      askedAt = now;
      latest = ask(check, timeoutMs);
    }
    return latest;
  };
}

async function ask(check: HealthCheck, timeoutMs: number): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), timeoutMs);
  });
  try {
    const dependencies = await Promise.race([check(), late]);
    const ok = Object.values(dependencies).every((one) => one.ok || one.required === false);
    return { ok, dependencies };
  } catch {
    return { ok: false, dependencies: { checks: { ok: false, detail: 'did not answer' } } };
  } finally {
    clearTimeout(timer);
  }
}
