/** When an origin that hangs gets nothing for a while, and when one receiver hangs alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBreaker } from '../../src/delivery/channels/breaker.ts';

const SECOND = 1_000;
const TIMEOUT_MS = 10 * SECOND;
const ORIGIN = 'https://push.example.com';

function open() {
  let at = 1_000 * SECOND;
  const breaker = createBreaker(() => at);
  const sendOf = (receiver: string | undefined) => ({ origin: ORIGIN, receiver });
  return {
    pass(ms: number) {
      at += ms;
    },
    wait: (receiver: string | undefined) => breaker.wait(sendOf(receiver), TIMEOUT_MS),
    timeOut: (...receivers: Array<string | undefined>) => {
      for (const receiver of receivers) breaker.ended(sendOf(receiver), true);
    },
    respond: (receiver: string) => breaker.ended(sendOf(receiver), false),
  };
}

const FIVE = ['a', 'b', 'c', 'd', 'e'];

describe('it opens', () => {
  test('after time-outs of five receivers', () => {
    const { wait, timeOut } = open();
    timeOut('a', 'b', 'c', 'd');
    expect(wait('f')).toBe(0);
    timeOut('e');
    expect(wait('f')).toBe(30 * SECOND);
  });

  test('not if one of them responds in between', () => {
    const { wait, timeOut, respond } = open();
    timeOut('a', 'b', 'c', 'd');
    respond('f');
    timeOut('e');
    expect(wait('f')).toBe(0);
  });

  test('not if they are more than a minute apart', () => {
    const { wait, timeOut, pass } = open();
    for (const one of FIVE) {
      timeOut(one);
      pass(20 * SECOND);
    }
    expect(wait('f')).toBe(0);
  });

  test('after five of the only receiver at the origin', () => {
    const { wait, timeOut, pass } = open();
    for (const _ of FIVE) {
      expect(wait(undefined)).toBe(0);
      pass(60 * SECOND);
      timeOut(undefined);
    }
    expect(wait(undefined)).toBe(30 * SECOND);
  });

  test('never because of one receiver, however often and fast it times out', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 120 }), { maxLength: 50 }), (seconds) => {
        const { wait, timeOut, pass } = open();
        for (const one of seconds) {
          expect(wait('slow')).toBe(0);
          pass(one * SECOND);
          timeOut('slow');
          expect(wait('other')).toBe(0);
        }
      }),
    );
  });

  test('only if five receivers have timed out within a minute since the last response', () => {
    const step = fc.record({
      receiver: fc.constantFrom(...FIVE, 'f'),
      seconds: fc.nat({ max: 30 }),
      timedOut: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { wait, timeOut, respond, pass } = open();
        let at = 0;
        let last = new Map<string, number>();
        for (const { receiver, seconds, timedOut } of steps) {
          pass(seconds * SECOND);
          at += seconds;
          if (!timedOut) {
            respond(receiver);
            last = new Map();
          } else {
            timeOut(receiver);
            last.set(receiver, at);
          }
          const recent = [...last.values()].filter((one) => at - one < 60);
          if (recent.length < 5) expect(wait('g')).toBe(0);
          else {
            expect(wait('g')).toBeGreaterThan(0);
            return;
          }
        }
      }),
    );
  });
});

describe('after half a minute', () => {
  function opened() {
    const one = open();
    one.timeOut(...FIVE);
    one.pass(30 * SECOND);
    return one;
  }

  test('one tries it, and the others wait', () => {
    const { wait } = opened();
    expect(wait('f')).toBe(0);
    expect(wait('g')).toBe(12 * SECOND);
  });

  test('a response closes it', () => {
    const { wait, respond } = opened();
    wait('f');
    respond('f');
    expect(wait('g')).toBe(0);
  });

  test('a time-out of another receiver opens it again', () => {
    const { wait, timeOut, pass } = opened();
    wait('f');
    pass(TIMEOUT_MS);
    timeOut('f');
    expect(wait('g')).toBe(30 * SECOND);
  });

  test('a time-out of one that has timed out before leaves the trial to the next one', () => {
    const { wait, timeOut, pass } = opened();
    expect(wait('a')).toBe(0);
    pass(TIMEOUT_MS);
    timeOut('a');
    expect(wait('f')).toBe(0);
    expect(wait('g')).toBe(12 * SECOND);
  });

  test('a trial whose process was suspended is followed by another one', () => {
    const { wait, pass } = opened();
    wait('f');
    pass(12 * SECOND);
    expect(wait('g')).toBe(0);
  });
});
