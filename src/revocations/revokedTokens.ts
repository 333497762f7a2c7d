import { every } from '../core/every.ts';
import { createHealth } from '../core/health.ts';
import { type Identity, type RevokedTokens, userIdOf } from '../core/identity.ts';
import type { OutageLog } from '../core/log.ts';
import type { Write } from '../dynamo/write.ts';
import { covers, type Revocation } from './revocation.ts';
import type { Revocations } from './revocations.ts';

/** One server's copy of all revocations, in memory and at most a second old. */
export interface RevokedTokensCopy extends RevokedTokens {
  /** Reads all revocations, then polls for new ones. Rejects if the first read fails, because then nothing is known. */
  start(): Promise<void>;
  stop(): void;
  /**
   * A part of a transaction that stores something that ends with this token: it fails if the token may have been
   * revoked since. Null if it is revoked already. A read and, usually, an empty query, both consistent.
   */
  whileValid(token: Pick<Identity, 'sub' | 'jti' | 'issuedAt'>): Promise<Write | null>;
}

export interface RevokedTokensOptions {
  readonly revocations: Pick<Revocations, 'since' | 'noneSince'>;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From one poll to the next, in milliseconds. */
  readonly pollMs?: number;
}

/**
 * A poll takes at most three seconds, the time limit of a DynamoDB call. So while DynamoDB works, a revoked token is
 * refused after less than five seconds.
 */
const POLL_MS = 1_000;

/**
 * Polls the table instead of listening to the bus. The bus may lose a message, so a poll would be needed anyway, and
 * one poll a second is fast enough on its own. It costs one read unit, however many requests the server gets. If
 * the table is down, the known revocations stay in force.
 */
export function createRevokedTokens(options: RevokedTokensOptions): RevokedTokensCopy {
  const { revocations, log, now = Date.now, pollMs = POLL_MS } = options;
  const subjects = new Map<string, Extract<Revocation, { sub: string }>>();
  const tokens = new Map<string, Revocation>();
  /** Users whose account was deleted a short time ago. */
  const deleted = new Map<string, Revocation>();
  const listeners = new Set<() => void>();
  let last = 0;
  const health = createHealth({
    log,
    down: 'Revocations of tokens cannot be read. Only those already known are in force',
    up: 'Revocations of tokens can be read again',
  });
  let stopPolling = async () => {};

  const isOver = ({ expiresAt }: Revocation) => expiresAt * 1_000 <= now();

  function apply(revocation: Revocation): void {
    last = revocation.number;
    if ('user' in revocation) {
      deleted.set(revocation.user, revocation);
      return;
    }
    if ('jti' in revocation) {
      const known = tokens.get(revocation.jti);
      // The later one may be meant for a shorter time.
      if (known === undefined || known.expiresAt < revocation.expiresAt)
        tokens.set(revocation.jti, revocation);
      return;
    }
    const { before = 0, expiresAt = 0 } = subjects.get(revocation.sub) ?? {};
    // The later one usually covers more. But its clock may have been behind, and it may be meant for a shorter time.
    subjects.set(revocation.sub, {
      ...revocation,
      before: Math.max(before, revocation.before),
      expiresAt: Math.max(expiresAt, revocation.expiresAt),
    });
  }

  async function read(): Promise<void> {
    const more = await revocations.since(last);
    for (const revocation of more) apply(revocation);
    for (const [sub, revocation] of subjects) if (isOver(revocation)) subjects.delete(sub);
    for (const known of [tokens, deleted]) {
      for (const [name, revocation] of known) if (isOver(revocation)) known.delete(name);
    }
    if (more.length > 0) for (const listener of listeners) listener();
  }

  function isDeleted(sub: string): boolean {
    // To compute an id costs a hash.
    const revocation = deleted.size === 0 ? undefined : deleted.get(userIdOf(sub));
    return revocation !== undefined && !isOver(revocation);
  }

  function has({ sub, ...token }: Pick<Identity, 'sub' | 'jti' | 'issuedAt'>): boolean {
    if (isDeleted(sub)) return true;
    const all = subjects.get(sub);
    if (all !== undefined && !isOver(all) && covers(all, token)) return true;
    const one = token.jti === undefined ? undefined : tokens.get(token.jti);
    return one !== undefined && !isOver(one);
  }

  return {
    async start() {
      await read();
      stopPolling = every(pollMs, read, { health });
    },
    stop: () => void stopPolling(),
    isDeleted,
    has,
    async whileValid(token) {
      const guard = await revocations.noneSince();
      await read();
      return has(token) ? null : guard;
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
