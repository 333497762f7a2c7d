import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Bus, type Json, topic } from '../../src/bus/bus.ts';
import { type LogLine, listen } from '../bus/support.ts';
import { scaled } from '../support/budget.ts';
import { eventually } from '../support/eventually.ts';
import { playInterleaving, steps } from './busInterleavings.ts';

/** Two ends of one medium. In process they are the same bus. */
export interface BusPair {
  readonly a: Bus;
  readonly b: Bus;
  /** What both have logged. */
  readonly lines: readonly LogLine[];
}

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE' });

/** What the documentation of `Bus` promises, sentence by sentence; `open` gives a pair that is up. */
export function busContract(name: string, open: () => Promise<BusPair>): void {
  describe(`${name} keeps the promises of a bus`, () => {
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

    test('what is published after subscribing is delivered, from either end', async () => {
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

    test('what one publishes on a topic arrives once and in order, however fast', async () => {
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      const sent = Array.from({ length: 2_000 }, (_, n) => n);
      await Promise.all(sent.map((n) => a.publish(numbers, n)));
      await inbox.holds(sent.length);
      await a.publish(numbers, -1);
      await inbox.holds(sent.length + 1);
      expect(inbox.received).toEqual([...sent, -1]);
    });

    test('a listener does not run on the stack of the publisher', async () => {
      const numbers = fresh();
      const inbox = await listen(a, numbers);
      const accepted = a.publish(numbers, 1);
      expect(inbox.received).toEqual([]);
      await accepted;
      await inbox.holds(1);
    });

    test('a listener may publish: what it says comes after what it heard, for everybody', async () => {
      const numbers = fresh();
      await a.subscribe(numbers, (n) => {
        if (n < 5) void a.publish(numbers, n + 1);
      });
      const inbox = await listen(a, numbers);
      await a.publish(numbers, 1);
      await inbox.holds(5);
      expect(inbox.received).toEqual([1, 2, 3, 4, 5]);
    });

    test('topics are apart', async () => {
      const [one, other] = [fresh(), fresh()];
      const [atOne, atOther] = await Promise.all([listen(b, one), listen(b, other)]);
      await a.publish(one, 1);
      await a.publish(other, 2);
      await Promise.all([atOne.holds(1), atOther.holds(1)]);
      expect([atOne.received, atOther.received]).toEqual([[1], [2]]);
    });

    test('a listener that was added twice hears twice and is detached once at a time', async () => {
      const numbers = fresh();
      const heard: number[] = [];
      const listener = (n: number) => heard.push(n);
      const detach = await b.subscribe(numbers, listener);
      await b.subscribe(numbers, listener);
      const last = await listen(b, numbers);
      await a.publish(numbers, 1);
      await last.holds(1);
      detach();
      detach();
      await a.publish(numbers, 2);
      await last.holds(2);
      expect(heard).toEqual([1, 1, 2]);
    });

    test('one that is detached hears nothing more, the others do', async () => {
      const numbers = fresh();
      const [gone, stays] = await Promise.all([listen(b, numbers), listen(b, numbers)]);
      await a.publish(numbers, 1);
      await Promise.all([gone.holds(1), stays.holds(1)]);
      gone.detach();
      await a.publish(numbers, 2);
      await stays.holds(2);
      expect(gone.received).toEqual([1]);
    });

    test('one that is detached by another listener does not hear the message that is being delivered', async () => {
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

    test('one that replaces itself while it listens hears each message once', async () => {
      const numbers = fresh();
      const heard: number[] = [];
      let detach = () => {};
      const renew = async () => {
        detach();
        detach = await b.subscribe(numbers, (n) => {
          heard.push(n);
          void renew();
        });
      };
      await renew();
      const last = await listen(b, numbers);
      await a.publish(numbers, 1);
      await last.holds(1);
      expect(heard).toEqual([1]);
    });

    test('detaching the last and subscribing again at once leaves no hole', async () => {
      const numbers = fresh();
      for (let n = 0; n < 50; n++) {
        const inbox = await listen(b, numbers);
        await a.publish(numbers, n);
        await inbox.holds(1);
        inbox.detach();
      }
    });

    test('a listener that throws or rejects is logged and noticed by nobody', async () => {
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

    test('JSON values of any shape arrive as they were', async () => {
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

    test('a thousand topics at once: each hears its own', async () => {
      const many = Array.from({ length: 1_000 }, () => fresh());
      const inboxes = await Promise.all(many.map((each) => listen(b, each)));
      await Promise.all(many.map((each, n) => a.publish(each, n)));
      await Promise.all(inboxes.map((inbox) => inbox.holds(1)));
      expect(inboxes.map(({ received }) => received)).toEqual(many.map((_, n) => [n]));
    });

    test('while nothing breaks it is up, and tells of no gap', async () => {
      const told: string[] = [];
      for (const bus of [a, b]) {
        bus.onGap(() => told.push('gap'));
        bus.onDown(() => told.push('down'));
      }
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      await a.publish(numbers, 1);
      await inbox.holds(1);
      expect([a.up, b.up, told]).toEqual([true, true, []]);
    });

    test('after closing nobody hears, and publishing and subscribing are UNAVAILABLE', async () => {
      const numbers = fresh();
      const inbox = await listen(b, numbers);
      const other = a === b ? undefined : await listen(a, numbers);
      const underWay = b
        .subscribe(fresh(), () => {})
        .then(
          () => 'attached',
          () => 'refused',
        );
      await b.close();
      await b.close();
      expect(await underWay).toMatch(/attached|refused/);
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

    test('a message that was accepted but not delivered when the bus closed is not delivered', async () => {
      const numbers = fresh();
      const inbox = await listen(a, numbers);
      const accepted = a.publish(numbers, 1).catch(() => {});
      await a.close();
      await accepted;
      expect(inbox.received).toEqual([]);
    });

    test('any interleaving on one topic delivers to exactly those that are attached', async () => {
      await fc.assert(
        fc.asyncProperty(steps, (script) => playInterleaving([a, b], fresh<string>(), script)),
        { numRuns: scaled(15) },
      );
    });
  });
}
