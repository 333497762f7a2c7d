import { type BackoffPolicy, backoffMs } from '../../core/retry.ts';
import { DAY_S, type Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { timerKey } from '../../timers/queue.ts';
import { setTimer, type Timer, timerOf } from '../../timers/timer.ts';
import {
  ATTEMPTS_MAX,
  type Delivery,
  type DeliveryChannel,
  type DeliveryOutcome,
  deliveryItem,
  deliveryOf,
  type Endpoint,
} from '../delivery.ts';
import { BATCH_MAX } from './channel.ts';

/** One delivery in a send. */
export type SendPart = {
  readonly user: string;
  readonly delivery: Timestamp;
  /** How many sends the delivery has. */
  readonly of: number;
};

/** What the timer of a send stores. It is all there is of a send. */
type SendAbout = {
  readonly channel: DeliveryChannel;
  readonly endpoint: string;
  /** One. When it begins, others to the same endpoint may join it: at most BATCH_MAX. */
  readonly parts: readonly SendPart[];
  /** How often it was claimed. */
  readonly attempt: number;
  /** Whether it was one with others when it was claimed. Then it is known by its own id, not by that of a delivery. */
  readonly several?: true;
  /** How often it was put off because its origin does not respond. */
  readonly putOff: number;
};

/** Its owner is the endpoint's origin. */
export type Send = Timer<SendAbout>;

export const SEND_KIND = 'send';
/**
 * How the id of a timer begins: of those that others may join, of those that stay as they are, and of those that were
 * held back from a batch.
 */
const JOINS = 'join:';
const SENDS = 'send:';
const HELD = 'held:';
/** For as long after the decision it is tried. */
export const GIVE_UP_MS = DAY_S * 1_000;
const PAUSES: BackoffPolicy = { firstMs: 5_000, longestMs: 3_600_000, jitter: 'half' };

export const newSend = (
  { user, id }: Pick<Delivery, 'user' | 'id'>,
  { channel, id: endpoint, origin }: Endpoint,
  { due, of, joins }: { readonly due: number; readonly of: number; readonly joins: boolean },
): Send => ({
  id: `${joins ? JOINS : SENDS}${user}:${id}:${endpoint}`,
  kind: SEND_KIND,
  due,
  owner: origin,
  about: { channel, endpoint, parts: [{ user, delivery: id, of }], attempt: 0, putOff: 0 },
});

/**
 * One part of a send, on its own from now on. The others keep the id of the send, which begins with that of the first
 * of them: a receiver that has handled their request would drop another one with this id.
 */
const heldSend = ({ kind, owner, about }: Send, part: SendPart, due: number): Send => ({
  id: `${about.several === true ? HELD : SENDS}${part.user}:${part.delivery}:${about.endpoint}`,
  kind,
  owner,
  due,
  about: { ...about, parts: [part] },
});

/** Whether two timers can become one send, by their ids: neither was tried, and they have the same endpoint. */
export const isAlike = (first: Pick<Timer, 'id'>, other: Pick<Timer, 'id'>): boolean =>
  first.id.startsWith(JOINS) &&
  other.id.startsWith(JOINS) &&
  first.id.slice(first.id.lastIndexOf(':')) === other.id.slice(other.id.lastIndexOf(':'));

/** How long it waits for its next attempt. */
export const pauseOf = ({ attempt, putOff }: Pick<SendAbout, 'attempt' | 'putOff'>): number =>
  backoffMs(PAUSES, attempt + putOff);

/** How a send goes on. */
interface Settling {
  readonly ended: ReadonlyMap<SendPart, DeliveryOutcome>;
  readonly held?: ReadonlyMap<SendPart, number>;
  /** When the rest of it is due, in milliseconds since 1970. */
  readonly due: number;
  /** The deliveries as they were when the attempt began. */
  readonly known?: ReadonlyMap<SendPart, Delivery>;
}

export interface SendStoreOptions {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'tryTransact' | 'optimistic'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the end of every part. */
  readonly onEnd: (channel: DeliveryChannel, outcome: DeliveryOutcome) => void;
}

/** The sends in the table. A process has a send if it moved or deleted its timer; another one finds it gone. */
export function createSendStore({ dynamo, now, onEnd }: SendStoreOptions) {
  /** Those that exist. */
  async function readSends(timers: ReadonlyArray<Pick<Timer, 'id' | 'due'>>): Promise<readonly Send[]> {
    const items = await dynamo.batchGet(timers.map(timerKey));
    return timers.flatMap((timer, i) => {
      const item = items[i];
      return item === undefined ? [] : [timerOf(timer, item) as Send];
    });
  }

  /** One round trip. Undefined in place of those that have expired. */
  async function deliveriesOf(parts: readonly SendPart[]): Promise<Array<Delivery | undefined>> {
    const items = await dynamo.batchGet(parts.map(({ user, delivery }) => keys.delivery(user, delivery)));
    return parts.map(({ user, delivery }, i) => {
      const item = items[i];
      return item === undefined ? undefined : deliveryOf(user, delivery, item);
    });
  }

  /** Makes one send of several. Undefined if another process has the first; others that are taken are left out. */
  async function merge(
    sends: readonly [Send, ...Send[]],
    changes: Pick<Send, 'due'> & Pick<SendAbout, 'attempt' | 'putOff'>,
    also?: Write,
  ): Promise<Send | 'REFUSED' | undefined> {
    const { due, ...counts } = changes;
    const [{ id: firstId, kind, owner, about }, ...others] = sends;
    const parts = sends.flatMap((one) => one.about.parts);
    // What was tried is sent again as it is. The receiver knows it by the id.
    const isFixed = counts.attempt > 0 || parts.length >= BATCH_MAX;
    const id = isFixed && firstId.startsWith(JOINS) ? `${SENDS}${firstId.slice(JOINS.length)}` : firstId;
    const isSeveral = about.several === true || parts.length > 1;
    const merged: Send = {
      id,
      kind,
      owner,
      due,
      about: { ...about, parts, ...counts, ...(isSeveral ? { several: true } : {}) },
    };
    const failed = await dynamo.tryTransact({ taken: sends.map(taken), next: setTimer(merged), also });
    if (failed === undefined) return merged;
    if (failed.taken?.[0] !== undefined) return undefined;
    if (failed.also !== undefined) return 'REFUSED';
    return merge([sends[0], ...others.filter((_, i) => failed.taken?.[i + 1] === undefined)], changes, also);
  }

  /**
   * A claimed attempt ends in twice its time. If its process dies, the next attempt begins after it. `also`: a part of
   * the transaction. 'REFUSED', with nothing written, if its condition does not hold.
   */
  const claim = (
    sends: readonly [Send, ...Send[]],
    { timeoutMs, also }: { readonly timeoutMs: number; readonly also: Write | undefined },
  ): Promise<Send | 'REFUSED' | undefined> => {
    const { attempt, putOff } = sends[0].about;
    const due = Math.ceil(now() + 2 * timeoutMs);
    return merge(sends, { due, attempt: attempt + 1, putOff }, also);
  };

  /** Makes one send of them, which is due at that time. */
  async function moveTo(sends: readonly [Send, ...Send[]], due: number): Promise<void> {
    const { attempt, putOff } = sends[0].about;
    await merge(sends, { due, attempt, putOff });
  }

  /** For at least this time, and longer each time: what waits for an origin that is away costs little. */
  async function delay(sends: readonly [Send, ...Send[]], waitMs: number): Promise<void> {
    const { attempt, putOff: before } = sends[0].about;
    const counts = { attempt, putOff: before + 1 };
    await merge(sends, { ...counts, due: Math.ceil(now() + Math.max(waitMs, pauseOf(counts))) });
  }

  /**
   * Ends parts of a send, and moves what is left of it: what is held back to a time of its own, the rest to `due`. A
   * delivery's outcome is `SENT` after the first send that worked, otherwise that of the last one. A transaction, and
   * one round trip to read before it, unless the deliveries are known and have no other sends, which would have changed
   * them. Undefined if nothing is left, or if another process has the send.
   */
  function settle(send: Send, { ended, due, held = new Map(), known }: Settling): Promise<Send | undefined> {
    let unchanged = known;
    return dynamo.optimistic(async () => {
      const { id, kind, owner, about } = send;
      const left = about.parts.filter((part) => !ended.has(part) && !held.has(part));
      const moved: Send = { id, kind, owner, due, about: { ...about, parts: left } };
      const endings = [...ended];
      const parts = endings.map(([part]) => part);
      const deliveries = knownOf(parts, unchanged) ?? (await deliveriesOf(parts));
      unchanged = undefined;
      const failed = await dynamo.tryTransact({
        send: taken(send),
        next: left.length === 0 ? undefined : setTimer(moved),
        held: [...held].map(([part, until]) => setTimer(heldSend(send, part, until))),
        deliveries: endings.flatMap(([{ of }, outcome], i) => {
          const delivery = deliveries[i];
          if (delivery === undefined) return [];
          return [endWrite(delivery, { channel: about.channel, outcome, at: now() }, of)];
        }),
      });
      if (failed === undefined) {
        for (const [, outcome] of endings) onEnd(about.channel, outcome);
        return left.length === 0 ? undefined : moved;
      }
      return failed.send === undefined ? AGAIN : undefined;
    });
  }

  return { readSends, deliveriesOf, claim, moveTo, delay, settle };
}

/** Undefined if one of them is not known, or has another send that may have changed it. */
function knownOf(
  parts: readonly SendPart[],
  known: ReadonlyMap<SendPart, Delivery> | undefined,
): readonly Delivery[] | undefined {
  const deliveries = parts.flatMap((part) => (part.of === 1 ? (known?.get(part) ?? []) : []));
  return deliveries.length === parts.length ? deliveries : undefined;
}

/** Deletes the timer, if it is where it was. */
const taken = (timer: Timer): Write => ({ delete: timerKey(timer), condition: 'attribute_exists(pk)' });

function endWrite(delivery: Delivery, end: Delivery['attempts'][number], of: number): Write {
  const attempts = [...delivery.attempts, end];
  const isLast = attempts.length >= of;
  const decides = end.outcome === 'SENT' || (isLast && delivery.outcome === 'PENDING');
  return {
    put: deliveryItem({
      ...delivery,
      attempts: attempts.slice(-ATTEMPTS_MAX),
      outcome: decides ? end.outcome : delivery.outcome,
      version: delivery.version + 1,
    }),
    condition: 'rev = :rev',
    values: { ':rev': delivery.version },
  };
}
