import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, type FailureCode } from '../../../web/src/api/errors.ts';
import { withRetry } from '../../../web/src/api/retry.ts';

/** Milliseconds that the server asks for. */
const RETRY_AFTER: Partial<Record<FailureCode, number>> = { RATE_LIMITED: 1, UNAVAILABLE: 1_500 };

/** A request that fails with these codes, one for each attempt, and then succeeds. */
function requestFailingWith(...codes: FailureCode[]) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    send: async () => {
      const code = codes[attempts++];
      if (code !== undefined) throw new ApiError(code, { retryAfterMs: RETRY_AFTER[code] });
      return 'answer';
    },
  };
}

/** Counts the waits, each of which ends at once. */
function countingBackoff() {
  let waits = 0;
  return {
    waits: () => waits,
    wait: async () => {
      waits++;
    },
  };
}

describe('withRetry', () => {
  it('waits after each temporary failure, and resolves with the first answer', async () => {
    const backoff = countingBackoff();
    const request = requestFailingWith('OFFLINE', 'INTERNAL', 'OFFLINE');
    expect(await withRetry(backoff, request.send)).toBe('answer');
    expect(request.attempts()).toBe(4);
    expect(backoff.waits()).toBe(3);
  });

  it('waits as long as the server asks for instead of for the backoff', async () => {
    const backoff = countingBackoff();
    const request = requestFailingWith('RATE_LIMITED');
    expect(await withRetry(backoff, request.send)).toBe('answer');
    expect(request.attempts()).toBe(2);
    expect(backoff.waits()).toBe(0);
  });

  it('waits for the backoff, and at least as long as a server asks for that cannot do it now', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const backoff = countingBackoff();
    const request = requestFailingWith('UNAVAILABLE');
    const answer = withRetry(backoff, request.send);
    await vi.advanceTimersByTimeAsync(1_499);
    expect([request.attempts(), backoff.waits()]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toBe('answer');
  });

  it('rejects at once with a failure that another attempt would not help', async () => {
    const backoff = countingBackoff();
    const request = requestFailingWith('OFFLINE', 'FORBIDDEN');
    await expect(withRetry(backoff, request.send)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(request.attempts()).toBe(2);
  });

  it('leaves the decision to `isRetryable`, and reports only failures that are retried', async () => {
    const reported: string[] = [];
    const request = requestFailingWith('NOT_FOUND', 'OFFLINE');
    const answer = withRetry(countingBackoff(), request.send, {
      isRetryable: ({ code }) => code === 'NOT_FOUND',
      onFailure: ({ code }) => reported.push(code),
    });
    await expect(answer).rejects.toMatchObject({ code: 'OFFLINE' });
    expect(reported).toEqual(['NOT_FOUND']);
  });

  it('makes no attempt after the signal was aborted, and drops an answer in flight', async () => {
    const over = new AbortController();
    const { signal } = over;
    const request = requestFailingWith('OFFLINE', 'OFFLINE');
    const wait = async () => over.abort();
    expect(await withRetry({ wait }, request.send, { signal })).toBeUndefined();
    expect(request.attempts()).toBe(1);

    const inFlight = new AbortController();
    const late = async () => {
      inFlight.abort();
      return 'late';
    };
    expect(await withRetry({ wait }, late, { signal: inFlight.signal })).toBeUndefined();
  });
});
