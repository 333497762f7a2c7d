import type { Log } from '../core/log.ts';
import type { Revocation } from './revocation.ts';
import type { Revocations } from './revocations.ts';

/** What is looked at of a token. */
export interface TokenClaims {
  readonly sub: string;
  readonly jti?: string;
  /** Seconds since 1970. */
  readonly issuedAt?: number;
}

/** What one server knows of revoked tokens: all of it, in memory, at most a second old. */
export interface RevokedTokens {
  /** Reads what is in force, then goes on asking for more. Rejects where that cannot be read: nothing is known then. */
  start(): Promise<void>;
  stop(): void;
  has(token: TokenClaims): boolean;
  /** The listener is called after more have become known. */
  onMore(listener: () => void): () => void;
}

export interface RevokedTokensOptions {
  readonly revocations: Pick<Revocations, 'since'>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From one question to the next. */
  readonly pollMs?: number;
}

/**
 * A question takes at most the three seconds after which DynamoDB counts as silent, so who is revoked is out in
 * less than five wherever DynamoDB answers.
 */
const POLL_MS = 1_000;

/**
 * The table is asked, and not the bus: a message of the bus may be lost, so there would have to be a question
 * as well, and one that is asked every second is soon enough to need nothing beside it. It costs one read unit,
 * however many requests there are. While the table does not answer what is known stays in force.
 */
export function createRevokedTokens(options: RevokedTokensOptions): RevokedTokens {
  const { revocations, log, now = Date.now, pollMs = POLL_MS } = options;
  const subjects = new Map<string, Extract<Revocation, { sub: string }>>();
  const tokens = new Map<string, Revocation>();
  const listeners = new Set<() => void>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failing = false;

  const isOver = ({ expiresAt }: Revocation) => expiresAt * 1_000 <= now();

  function take(revocation: Revocation): void {
    last = revocation.number;
    if ('jti' in revocation) {
      tokens.set(revocation.jti, revocation);
      return;
    }
    const { before = 0, expiresAt = 0 } = subjects.get(revocation.sub) ?? {};
    // The later one says more, but its clock may have been behind, and it may be meant for a shorter time.
    subjects.set(revocation.sub, {
      ...revocation,
      before: Math.max(before, revocation.before),
      expiresAt: Math.max(expiresAt, revocation.expiresAt),
    });
  }

  async function read(): Promise<void> {
    const more = await revocations.since(last);
    for (const revocation of more) take(revocation);
    for (const [sub, revocation] of subjects) if (isOver(revocation)) subjects.delete(sub);
    for (const [jti, revocation] of tokens) if (isOver(revocation)) tokens.delete(jti);
    if (more.length > 0) for (const listener of listeners) listener();
  }

  async function poll(): Promise<void> {
    try {
      await read();
      if (failing) log.info('Revocations of tokens can be read again');
      failing = false;
    } catch (err) {
      if (!failing) log.warn({ err }, 'Revocations of tokens cannot be read: only those known are in force');
      failing = true;
    }
    schedule();
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void poll(), pollMs);
  }

  return {
    async start() {
      await read();
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    has({ sub, jti, issuedAt }) {
      const all = subjects.get(sub);
      if (all !== undefined && !isOver(all) && (issuedAt ?? 0) <= all.before) return true;
      const one = jti === undefined ? undefined : tokens.get(jti);
      return one !== undefined && !isOver(one);
    },
    onMore(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
