import fc from 'fast-check';
import { expect } from 'vitest';
import type { Bus, Topic } from '../../src/bus/bus.ts';
import { eventually } from '../support/eventually.ts';

/** `wait`: the script goes on when the step is done; otherwise at once, and the steps race. */
type Step =
  | { readonly do: 'subscribe'; readonly slot: number; readonly wait: boolean }
  | { readonly do: 'detach'; readonly slot: number }
  | { readonly do: 'publish'; readonly from: number; readonly wait: boolean }
  | { readonly do: 'settle' };

const SLOTS = 4;
const slot = fc.nat({ max: SLOTS - 1 });
const wait = fc.boolean();

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('subscribe' as const), slot, wait }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('detach' as const), slot }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('publish' as const), from: fc.nat({ max: 1 }), wait }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  ),
  { maxLength: 40 },
);

interface Message {
  readonly id: string;
  readonly from: number;
  readonly publishedAt: number;
}

/** One stay of a listener. Times are of a clock that ticks with every step; Infinity is "not yet". */
interface Stay {
  readonly askedAt: number;
  attachedAt: number;
  leaving: boolean;
  leftAt: number;
  readonly heard: Message[];
  detach: () => void;
}

/**
 * Plays a script on one topic of two buses and checks what every listener heard:
 *  - all that was published after it was attached, unless it left before that had time to arrive;
 *  - nothing that had arrived everywhere before it asked, and nothing after it left;
 *  - each message once, and each publisher's in order.
 */
export async function playInterleaving(
  buses: readonly [Bus, Bus],
  on: Topic<string>,
  script: readonly Step[],
) {
  let clock = 0;
  const stays: Stay[] = [];
  const inSlot = new Map<number, Stay>();
  const messages = new Map<string, Message>();
  const settledAt: number[] = [];
  const heardAfterLeaving: string[] = [];
  let pending: Array<Promise<void>> = [];
  const busOf = (n: number) => buses[n % 2 === 0 ? 0 : 1];

  async function subscribe(n: number): Promise<void> {
    if (inSlot.has(n)) return;
    const stay: Stay = {
      askedAt: ++clock,
      attachedAt: Number.POSITIVE_INFINITY,
      leaving: false,
      leftAt: Number.POSITIVE_INFINITY,
      heard: [],
      detach: () => {},
    };
    stays.push(stay);
    inSlot.set(n, stay);
    stay.detach = await busOf(n).subscribe(on, (id) => {
      if (stay.leftAt !== Number.POSITIVE_INFINITY) heardAfterLeaving.push(id);
      const message = messages.get(id);
      if (message !== undefined) stay.heard.push(message);
    });
    stay.attachedAt = ++clock;
    if (stay.leaving) leave(stay);
  }

  function leave(stay: Stay): void {
    stay.detach();
    stay.leftAt = ++clock;
  }

  function detach(n: number): void {
    const stay = inSlot.get(n);
    if (stay === undefined) return;
    inSlot.delete(n);
    stay.leaving = true;
    if (stay.attachedAt !== Number.POSITIVE_INFINITY) leave(stay);
  }

  function publish(from: number): Promise<void> {
    const message = { id: `${from}:${messages.size}`, from, publishedAt: ++clock };
    messages.set(message.id, message);
    return busOf(from).publish(on, message.id);
  }

  /** Everything under way is done, and everything that was published has arrived where it will. */
  async function settle(): Promise<void> {
    await Promise.all(pending);
    pending = [];
    const before = messages.size;
    await Promise.all([publish(0), publish(1)]);
    const last = [...messages.values()].slice(before);
    await eventually(() => {
      for (const { heard } of inSlot.values()) expect(heard).toEqual(expect.arrayContaining(last));
    }, 1);
    settledAt.push(++clock);
  }

  for (const step of script) {
    if (step.do === 'settle') await settle();
    else if (step.do === 'detach') detach(step.slot);
    else {
      const done = step.do === 'subscribe' ? subscribe(step.slot) : publish(step.from);
      pending.push(done);
      if (step.wait) await done;
    }
  }
  await settle();
  for (const stay of inSlot.values()) leave(stay);

  expect(heardAfterLeaving).toEqual([]);
  for (const { askedAt, attachedAt, leftAt, heard } of stays) {
    const due = [...messages.values()].filter(
      ({ publishedAt }) =>
        attachedAt < publishedAt && settledAt.some((settled) => publishedAt < settled && settled < leftAt),
    );
    expect(heard).toEqual(expect.arrayContaining(due));
    const tooOld = heard.filter(({ publishedAt }) =>
      settledAt.some((settled) => publishedAt < settled && settled < askedAt),
    );
    expect(tooOld).toEqual([]);
    for (const from of [0, 1]) {
      const times = heard.filter((message) => message.from === from).map(({ publishedAt }) => publishedAt);
      expect(times).toEqual([...new Set(times)].sort((x, y) => x - y));
    }
  }
}
