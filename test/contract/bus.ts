import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bus, type Json, topic } from '../../src/bus/bus.ts';
import { type LogLine, listen } from '../bus/support/bus.ts';
import { scaled } from '../support/run/budget.ts';
import { eventually } from '../support/time/eventually.ts';
import { runInterleaving, steps } from './busInterleavings.ts';

/** Two ends of one medium. In process they are the same bus. */
export interface BusPair {
  readonly a: Bus;
  readonly b: Bus;
  /** The log lines of both. */
  readonly lines: readonly LogLine[];
}

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' });

/** Tests each guarantee in the documentation of `Bus`. `open` returns a pair that is up. */
export function busContract(name: string, open: () => Promise<BusPair>): void {
  describe(`${name}: guarantees of a bus`, () => {
    let a: Bus;
    let b: Bus;
    let lines: readonly LogLine[];
    let topics = 0;
    const fresh = <T extends Json = number>() => topic<T>(`topic:${++topics}`);

    beforeEach(async () => {
      ({ a, b, lines } = await open());
    });
    afterEach(async () => {
      await Promise.all([a.close(), b.close()]);
    });

    test('subscribe: receives what is published later, from either end', async () => {
      const numbers = fresh();
      const [atA, atB] = await Promise.all([listen(a, numbers), listen(b, numbers)]);
      await a.publish(numbers, 1);
      await Promise.all([atA.holds(1), atB.holds(1)]);
      await b.publish(numbers, 2);
      await Promise.all([atA.holds(2), atB.holds(2)]);
      expect([atA.received, atB.received]).toEqual([
        [1, 2],
        [1, 2],
      ]);
    });

    test('publish: messages of one publisher arrive once and in order, also 2,000 at once', async () => {
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      const sent = Array.from({ length: 2_000 }, (_, n) => n);
      await Promise.all(sent.map((n) => a.publish(numbers, n)));
      await inbox.holds(sent.length);
      await a.publish(numbers, -1);
      await inbox.holds(sent.length + 1);
      expect(inbox.received).toEqual([...sent, -1]);
    });

    test("publish: a listener does not run on the publisher's stack", async () => {
      const numbers = fresh();
      const inbox = await listen(a, numbers);
      const accepted = a.publish(numbers, 1);
      expect(inbox.received).toEqual([]);
      await accepted;
      await inbox.holds(1);
    });

    test('publish: a message that a listener publishes arrives after the one that it received, at every listener', async () => {
      const numbers = fresh();
      await a.subscribe(numbers, (n) => {
        if (n < 5) void a.publish(numbers, n + 1);
      });
      const inbox = await listen(a, numbers);
      await a.publish(numbers, 1);
      await inbox.holds(5);
      expect(inbox.received).toEqual([1, 2, 3, 4, 5]);
    });

    test('subscribe: receives only its own topic', async () => {
      const [one, other] = [fresh(), fresh()];
      const [atOne, atOther] = await Promise.all([listen(b, one), listen(b, other)]);
      await a.publish(one, 1);
      await a.publish(other, 2);
      await Promise.all([atOne.holds(1), atOther.holds(1)]);
      expect([atOne.received, atOther.received]).toEqual([[1], [2]]);
    });

    test('subscribe: a listener that was added twice is called twice, and detached one at a time', async () => {
      const numbers = fresh();
      const received: number[] = [];
      const listener = (n: number) => received.push(n);
      const detach = await b.subscribe(numbers, listener);
      await b.subscribe(numbers, listener);
      const last = await listen(b, numbers);
      await a.publish(numbers, 1);
      await last.holds(1);
      detach();
      detach();
      await a.publish(numbers, 2);
      await last.holds(2);
      expect(received).toEqual([1, 1, 2]);
    });

    test('detach: a detached listener receives no later message, and others do', async () => {
      const numbers = fresh();
      const [detached, attached] = await Promise.all([listen(b, numbers), listen(b, numbers)]);
      await a.publish(numbers, 1);
      await Promise.all([detached.holds(1), attached.holds(1)]);
      detached.detach();
      await a.publish(numbers, 2);
      await attached.holds(2);
      expect(detached.received).toEqual([1]);
    });

    test('detach: a listener that another listener detaches does not receive the message that is being delivered', async () => {
      const numbers = fresh();
      let detachSecond = () => {};
      await b.subscribe(numbers, () => detachSecond());
      const second = await listen(b, numbers);
      detachSecond = second.detach;
      const last = await listen(b, numbers);
      await a.publish(numbers, 1);
      await last.holds(1);
      expect(second.received).toEqual([]);
    });

    test('detach: a listener that replaces itself receives each message once', async () => {
      const numbers = fresh();
      const received: number[] = [];
      let detach = () => {};
      const renew = async () => {
        detach();
        detach = await b.subscribe(numbers, (n) => {
          received.push(n);
          void renew();
        });
      };
      await renew();
      const last = await listen(b, numbers);
      await a.publish(numbers, 1);
      await last.holds(1);
      expect(received).toEqual([1]);
    });

    test('subscribe: right after the last listener was detached, it misses no message', async () => {
      const numbers = fresh();
      for (let n = 0; n < 50; n++) {
        const inbox = await listen(b, numbers);
        await a.publish(numbers, n);
        await inbox.holds(1);
        inbox.detach();
      }
    });

    test('publish: a listener that throws or rejects is logged, and does not affect others', async () => {
      const numbers = fresh();
      await b.subscribe(numbers, () => {
        throw new Error('thrown');
      });
      await b.subscribe(numbers, async () => {
        throw new Error('rejected');
      });
      const inbox = await listen(b, numbers);
      await a.publish(numbers, 1);
      await a.publish(numbers, 2);
      await inbox.holds(2);
      await eventually(() =>
        expect(lines.filter(({ msg }) => msg === 'A listener on the bus failed')).toHaveLength(4),
      );
    });

    test('publish: JSON values of any shape arrive unchanged', async () => {
      const values = fresh<Json>();
      const inbox = await listen(b, values);
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          await a.publish(values, value as Json);
          await inbox.holds(++sent);
          expect(JSON.stringify(inbox.received.at(-1))).toBe(JSON.stringify(value));
        }),
        { numRuns: scaled(50) },
      );
    });

    test('subscribe: 1,000 topics at once each receive their own messages', async () => {
      const many = Array.from({ length: 1_000 }, () => fresh());
      const inboxes = await Promise.all(many.map((each) => listen(b, each)));
      await Promise.all(many.map((each, n) => a.publish(each, n)));
      await Promise.all(inboxes.map((inbox) => inbox.holds(1)));
      expect(inboxes.map(({ received }) => received)).toEqual(many.map((_, n) => [n]));
    });

    test('up: true without a gap while nothing fails', async () => {
      const events: string[] = [];
      for (const bus of [a, b]) {
        bus.onGap(() => events.push('gap'));
        bus.onDown(() => events.push('down'));
      }
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      await a.publish(numbers, 1);
      await inbox.holds(1);
      expect([a.up, b.up, events]).toEqual([true, true, []]);
    });

    test('close: no listener is called afterwards; publish and subscribe reject with UNAVAILABLE', async () => {
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      const other = a === b ? undefined : await listen(a, numbers);
      const running = b
        .subscribe(fresh(), () => {})
        .then(
          () => 'attached',
          () => 'refused',
        );
      await b.close();
      await b.close();
      expect(await running).toMatch(/attached|refused/);
      expect(b.up).toBe(false);
      await expect(b.publish(numbers, 1)).rejects.toEqual(unavailable);
      await expect(b.subscribe(numbers, () => {})).rejects.toEqual(unavailable);
      if (other !== undefined) {
        await a.publish(numbers, 2);
        await other.holds(1);
      }
      inbox.detach();
      expect(inbox.received).toEqual([]);
    });

    test('close: a message that was accepted but not delivered is dropped', async () => {
      const numbers = fresh();
      const inbox = await listen(a, numbers);
      const accepted = a.publish(numbers, 1).catch(() => {});
      await a.close();
      await accepted;
      expect(inbox.received).toEqual([]);
    });

    test('publish: in any interleaving, exactly the attached listeners receive a message', async () => {
      await fc.assert(
        fc.asyncProperty(steps, (script) => runInterleaving([a, b], fresh<string>(), script)),
        { numRuns: scaled(15) },
      );
    });
  });
}
