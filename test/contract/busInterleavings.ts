import fc from 'fast-check';
import { expect } from 'vitest';
import type { Bus, Topic } from '../../src/bus/bus.ts';
import { eventually } from '../support/time/eventually.ts';

/** `wait`: the next step begins when this one is done. Otherwise it begins at once, and the steps race. */
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

/**
 * A listener from attach to detach. Times are those of a clock that ticks with every step; Infinity means "not yet".
 */
interface Attachment {
  readonly requestedAt: number;
  attachedAt: number;
  detaching: boolean;
  detachedAt: number;
  readonly received: Message[];
  detach: () => void;
}

/**
 * Runs a script on one topic of two buses and checks what every listener received:
 *  - everything that was published after it was attached, unless it was detached before that could arrive;
 *  - nothing that had arrived everywhere before it subscribed, and nothing after it was detached;
 *  - each message once, and those of each publisher in order.
 */
export async function runInterleaving(
  buses: readonly [Bus, Bus],
  on: Topic<string>,
  script: readonly Step[],
) {
  let clock = 0;
  const attachments: Attachment[] = [];
  const inSlot = new Map<number, Attachment>();
  const messages = new Map<string, Message>();
  const settledAt: number[] = [];
  const receivedAfterDetach: string[] = [];
  let pending: Array<Promise<void>> = [];
  const busOf = (n: number) => buses[n % 2 === 0 ? 0 : 1];

  async function subscribe(n: number): Promise<void> {
    if (inSlot.has(n)) return;
    const attachment: Attachment = {
      requestedAt: ++clock,
      attachedAt: Number.POSITIVE_INFINITY,
      detaching: false,
      detachedAt: Number.POSITIVE_INFINITY,
      received: [],
      detach: () => {},
    };
    attachments.push(attachment);
    inSlot.set(n, attachment);
    attachment.detach = await busOf(n).subscribe(on, (id) => {
      if (attachment.detachedAt !== Number.POSITIVE_INFINITY) receivedAfterDetach.push(id);
      const message = messages.get(id);
      if (message !== undefined) attachment.received.push(message);
    });
    attachment.attachedAt = ++clock;
    if (attachment.detaching) endAttachment(attachment);
  }

  function endAttachment(attachment: Attachment): void {
    attachment.detach();
    attachment.detachedAt = ++clock;
  }

  function detach(n: number): void {
    const attachment = inSlot.get(n);
    if (attachment === undefined) return;
    inSlot.delete(n);
    attachment.detaching = true;
    if (attachment.attachedAt !== Number.POSITIVE_INFINITY) endAttachment(attachment);
  }

  function publish(from: number): Promise<void> {
    const message = { id: `${from}:${messages.size}`, from, publishedAt: ++clock };
    messages.set(message.id, message);
    return busOf(from).publish(on, message.id);
  }

  /** Waits until all steps are done and every published message has arrived. */
  async function settle(): Promise<void> {
    await Promise.all(pending);
    pending = [];
    const before = messages.size;
    await Promise.all([publish(0), publish(1)]);
    const last = [...messages.values()].slice(before);
    await eventually(() => {
      for (const { received } of inSlot.values()) expect(received).toEqual(expect.arrayContaining(last));
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
  for (const attachment of inSlot.values()) endAttachment(attachment);

  expect(receivedAfterDetach).toEqual([]);
  for (const { requestedAt, attachedAt, detachedAt, received } of attachments) {
    const due = [...messages.values()].filter(
      ({ publishedAt }) =>
        attachedAt < publishedAt &&
        settledAt.some((settled) => publishedAt < settled && settled < detachedAt),
    );
    expect(received).toEqual(expect.arrayContaining(due));
    const tooOld = received.filter(({ publishedAt }) =>
      settledAt.some((settled) => publishedAt < settled && settled < requestedAt),
    );
    expect(tooOld).toEqual([]);
    for (const from of [0, 1]) {
      const times = received.filter((message) => message.from === from).map(({ publishedAt }) => publishedAt);
      expect(times).toEqual([...new Set(times)].sort((x, y) => x - y));
    }
  }
}
