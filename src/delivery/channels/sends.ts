import { defined } from '../../core/defined.ts';
import type { DeliveryKind } from '../../core/deliveryKinds.ts';
import { OutageError } from '../../core/errors.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import { currentSpan } from '../../core/work.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { hashed } from '../../dynamo/keys.ts';
import type { Write } from '../../dynamo/write.ts';
import { setTimer, type TimerKind, type TimerRun } from '../../timers/timer.ts';
import {
  type Delivery,
  type DeliveryChannel,
  type DeliveryOutcome,
  type Describe,
  ENDPOINTS_MAX,
  type Endpoint,
  type Sends,
} from '../delivery.ts';
import { summaryAt } from '../settings/settings.ts';
import { type BreakerSend, createBreaker } from './breaker.ts';
import {
  BATCH_MAX,
  type Channel,
  type ChannelEndpoint,
  type Message,
  type SendResult,
  type TakenTurn,
  TIMEOUT_MS,
} from './channel.ts';
import { asOneOfSeveral, joined, type Left, messageOf } from './message.ts';
import {
  createSendStore,
  GIVE_UP_MS,
  isAlike,
  newSend,
  pauseOf,
  SEND_KIND,
  type Send,
  type SendPart,
} from './send.ts';

export interface SendsOptions {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'tryTransact' | 'optimistic'>;
  readonly channels: readonly Channel[];
  readonly describe: Describe;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the end of every send. */
  readonly onEnd?: (channel: DeliveryChannel, outcome: DeliveryOutcome) => void;
}

/** How many deliveries of a batch are worded at once. */
const AT_ONCE = 16;

/** What is to be sent, and where. */
interface Ready extends Left {
  readonly message: Message;
  readonly endpoint: ChannelEndpoint;
}

/** What is to be sent, or why not. */
type Prepared = Ready | { readonly heldUntil: number } | { readonly outcome: DeliveryOutcome };

interface Preparing {
  readonly channel: Channel;
  readonly endpointId: string;
  /** For one attempt: the next one reads everything again. */
  readonly items: ItemLoader;
}

/** The process has claimed a send. */
interface Attempt {
  readonly channel: Channel;
  /** Milliseconds since 1970. */
  readonly wordedAt: number;
  /** Only if the endpoint is limited. */
  readonly taken: TakenTurn | undefined;
  /** The deliveries as they were read before. */
  readonly known: ReadonlyMap<SendPart, Delivery>;
}

/**
 * The sends of what was decided: one timer for each endpoint, and nothing else. An attempt is claimed by moving the
 * timer to the time when the attempt must have ended, on the condition that it is where it was: of two processes one
 * moves it, and only this one sends. The end of an attempt moves it to the next one, or deletes it, in one transaction
 * with what the delivery says about it.
 *
 * A channel that sends batches has its sends due together. The one that begins first is handled with the others of its
 * endpoint that wait in this process: the claim makes one timer of them, and from then on they are one send. Likewise
 * what waits for a turn of its endpoint.
 */
export function createSends(options: SendsOptions) {
  const { dynamo, channels, describe, now, onEnd = () => {} } = options;
  const byName = new Map(channels.map((channel) => [channel.name, channel]));
  const breaker = createBreaker(now);
  const store = createSendStore({ dynamo, now, onEnd });

  /** One round trip for each channel, at the same time. */
  async function endpointsBy(
    user: string,
    wanted: ReadonlyMap<DeliveryChannel, ReadonlySet<DeliveryKind>>,
  ): Promise<readonly Endpoint[]> {
    const found = await Promise.all(
      channels.map(async ({ name, endpointsOf }) => {
        const kinds = wanted.get(name);
        if (kinds === undefined) return [];
        return (await endpointsOf(user, kinds)).map(({ id, origin }) => ({ channel: name, id, origin }));
      }),
    );
    return found.flat().slice(0, ENDPOINTS_MAX);
  }

  const sends: Sends = {
    sendsDigests: channels.some(({ sendsDigests }) => sendsDigests === true),
    async kindsForEveryone() {
      const kinds = await Promise.all(channels.map(async (one) => (await one.kindsForEveryone?.()) ?? []));
      return new Set(kinds.flatMap((some) => [...some]));
    },
    endpointsOf(user, channelsOf, { digests = false } = {}) {
      const wanted = channels
        .filter(({ sendsDigests = false }) => sendsDigests === digests)
        .map(({ name }) => [name, kindsBy(name, channelsOf)] as const);
      return endpointsBy(user, new Map(wanted.filter(([, kinds]) => kinds.size > 0)));
    },
    writesFor: (delivery, endpoints): Write[] =>
      endpoints.map((endpoint) => {
        const { batches, turns } = byName.get(endpoint.channel) ?? {};
        const everyMs = batches?.everyMs ?? 1;
        const due = Math.ceil(delivery.decidedAt / everyMs) * everyMs;
        const joins = batches !== undefined || (turns !== undefined && !isTest(delivery));
        return setTimer(newSend(delivery, endpoint, { due, of: endpoints.length, joins }));
      }),
  };

  async function handle(first: Send, run?: TimerRun): Promise<void> {
    const { about } = first;
    const channel = byName.get(about.channel);
    // This process knows the kind, and not the channel: it was switched off, or is not set up here.
    if (channel === undefined) return endAll(first, 'SWITCHED_OFF');
    const { timeoutMs = TIMEOUT_MS } = channel;
    const all = [first, ...(await others(first, channel, run))] as const;
    const parts = all.flatMap((one) => one.about.parts);
    const [deliveries, turn] = await Promise.all([
      store.deliveriesOf(parts),
      channel.turns?.next(about.endpoint),
    ]);
    const isOver = parts.every((_, i) => isLate(deliveries[i], now()));
    const isLimited = turn !== undefined && !deliveries.every((one) => one !== undefined && isTest(one));
    if (isLimited && !isOver && turn.at > now()) return store.moveTo(all, turn.at);
    const waitMs = isOver ? 0 : breaker.wait(breakerSendOf(first, channel), timeoutMs);
    if (waitMs > 0) return store.delay(all, waitMs);
    const wordedAt = now();
    // What several of them are about, and the people they name, are read once.
    const items = createItemLoader(dynamo);
    const prepared = new Map<SendPart, Prepared>();
    const known = new Map(parts.flatMap((part, i) => knownAs(part, deliveries[i])));
    await mapAtMost(AT_ONCE, parts, async (part, i) => {
      const delivery = deliveries[i];
      if (delivery === undefined || isLate(delivery, now())) {
        prepared.set(part, { outcome: 'FAILED' });
        return;
      }
      const to = { channel, endpointId: about.endpoint };
      const preparing = prepare(delivery, { ...to, items });
      const alone = () => prepare(delivery, { ...to, items: createItemLoader(dynamo) });
      prepared.set(part, await (parts.length === 1 ? preparing : apart(preparing, alone)));
    });
    const isLeft = [...prepared.values()].some((one) => 'message' in one);
    if (!isLeft && all.length === 1) {
      const [ended, held] = [endingsOf(prepared), heldOf(prepared)];
      return void (await store.settle(first, { ended, held, due: first.due, known }));
    }
    const taken = isLimited && isLeft ? turn.take(Math.ceil(now())) : undefined;
    const claimed = await store.claim(all, { timeoutMs, also: taken?.write });
    if (claimed === 'REFUSED') return store.moveTo(all, Math.ceil(now()) + (channel.turns?.apartMs ?? 0));
    // Another process has it.
    if (claimed === undefined) return;
    const own = new Map([...prepared].filter(([part]) => claimed.about.parts.includes(part)));
    await attempt(claimed, own, { channel, wordedAt, taken, known });
  }

  /** The sends that join the first one. */
  async function others(first: Send, channel: Channel, run: TimerRun | undefined): Promise<readonly Send[]> {
    const max = channel.batches?.max ?? channel.turns?.max ?? 1;
    let free = Math.min(max, BATCH_MAX) - first.about.parts.length;
    return (await store.readSends(run?.also ?? [])).filter(({ about: { parts } }) => {
      const fits = parts.length <= free;
      if (fits) free -= parts.length;
      return fits;
    });
  }

  async function prepare(delivery: Delivery, { channel, endpointId, items }: Preparing): Promise<Prepared> {
    const { user } = delivery;
    const described = await describe(delivery, {
      channel: channel.name,
      items,
      ...defined({ kinds: channel.kindsOf?.(endpointId), parts: channel.sendsDigests }),
    });
    if (described.words === null) return { outcome: described.reason };
    const { words, badge, hold } = described;
    const endpoints = await channel.endpointsOf(user, new Set(words.kinds), items);
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    if (endpoint === undefined) return { outcome: 'SWITCHED_OFF' };
    if (hold !== null) {
      const heldUntil = summaryAt(user, hold);
      return isLate(delivery, heldUntil) ? { outcome: hold.outcome } : { heldUntil };
    }
    const message = messageOf({ delivery, words, badge, now: now() });
    return { endpoint, delivery, message, count: words.count };
  }

  /** Sends what is left of a claimed send, and records how it ended. */
  async function attempt(
    claimed: Send,
    prepared: ReadonlyMap<SendPart, Prepared>,
    { channel, wordedAt, taken, known }: Attempt,
  ): Promise<void> {
    const [ended, held] = [endingsOf(prepared), heldOf(prepared)];
    const isWhole = ended.size === 0 && held.size === 0;
    // One millisecond later, because the timer is another item then.
    const send = isWhole
      ? claimed
      : await store.settle(claimed, { ended, held, due: claimed.due + 1, known });
    const ready = [...prepared.values()].flatMap((one) => ('message' in one ? one : []));
    const [one] = ready;
    if (send === undefined || one === undefined) return;
    const messages = channel.batches === undefined ? await asOne(send, ready, channel) : messagesOf(ready);
    // This process was suspended. Another one may have the next attempt, and what is left may have changed.
    // Otherwise it ends before the next attempt begins.
    if (messages.length === 0 || now() - wordedAt > (channel.timeoutMs ?? TIMEOUT_MS)) return;
    const span = currentSpan()?.child(`delivery: ${channel.name}`, { messages: messages.length });
    const result = await channel
      .send({ id: hashed(send.id), messages }, one.endpoint)
      .catch((error: unknown) => {
        span?.end(error);
        throw error;
      });
    span?.set({ outcome: result.outcome });
    span?.end();
    const timedOut = result.outcome === 'retry' && result.timedOut === true;
    breaker.ended(breakerSendOf(send, channel), timedOut);
    await record(send, result, { prepared, known });
    if (result.outcome === 'sent') await channel.sent?.(one.endpoint);
    // What timed out may have been accepted.
    if (result.outcome === 'retry' && !timedOut) await taken?.giveBack();
  }

  /** One message about all of them; none if something has changed since each was worded: the next attempt sees it. */
  async function asOne(send: Send, ready: readonly Ready[], channel: Channel): Promise<readonly Message[]> {
    const [first, ...others] = ready;
    if (first === undefined) return [];
    if (send.about.several !== true) return [first.message];
    if (others.length === 0) return [asOneOfSeveral(first.message, send.id)];
    const delivery = joined([first, ...others]);
    const described = await describe(delivery, {
      channel: channel.name,
      ...defined({ kinds: channel.kindsOf?.(first.endpoint.id) }),
    });
    if (described.words === null || described.hold !== null) return [];
    const { words, badge } = described;
    const deliveries = ready.map(({ delivery: { id } }) => id);
    return [asOneOfSeveral(messageOf({ delivery, deliveries, words, badge, now: now() }), send.id)];
  }

  async function record(
    send: Send,
    result: SendResult,
    { prepared, known }: Pick<Attempt, 'known'> & { readonly prepared: ReadonlyMap<SendPart, Prepared> },
  ): Promise<void> {
    if (result.outcome !== 'retry') return endAll(send, ENDINGS[result.outcome], known);
    const due = Math.ceil(now() + Math.max(result.afterMs ?? 0, pauseOf(send.about)));
    const late = [...prepared].filter(([, one]) => 'delivery' in one && isLate(one.delivery, due));
    await store.settle(send, { ended: new Map(late.map(([part]) => [part, 'FAILED'] as const)), due, known });
  }

  async function endAll(send: Send, outcome: DeliveryOutcome, known?: Attempt['known']): Promise<void> {
    const ended = new Map(send.about.parts.map((part) => [part, outcome] as const));
    await store.settle(send, { ended, due: send.due, ...defined({ known }) });
  }

  const timerKind: TimerKind<Send['about']> = {
    name: SEND_KIND,
    outside: true,
    handle,
    together: { max: BATCH_MAX - 1, isAlike },
  };
  return { sends, endpointsBy, timerKind };
}

/**
 * In a batch, what cannot be worded ends by itself, so that it does not hold up the others. It is prepared `alone`
 * first, because a read that fails may be one for all of them.
 */
async function apart(preparing: Promise<Prepared>, alone: () => Promise<Prepared>): Promise<Prepared> {
  const unlessOutage = (error: unknown): void => {
    if (error instanceof OutageError) throw error;
  };
  const prepared = (await preparing.catch(unlessOutage)) ?? (await alone().catch(unlessOutage));
  return prepared ?? { outcome: 'FAILED' };
}

const breakerSendOf = ({ owner, about }: Send, { ownsOrigin }: Channel): BreakerSend => ({
  origin: owner,
  receiver: ownsOrigin === true ? undefined : about.endpoint,
});

const knownAs = (part: SendPart, delivery: Delivery | undefined) =>
  delivery === undefined ? [] : [[part, delivery] as const];

const messagesOf = (ready: readonly Ready[]): Message[] => ready.map(({ message }) => message);

/** A person asked for it now, so it is not limited. */
const isTest = ({ kinds }: Delivery): boolean => kinds.length === 0;

const isLate = (delivery: Delivery | undefined, at: number): boolean =>
  delivery === undefined || at - delivery.decidedAt >= GIVE_UP_MS;

const endingsOf = (prepared: ReadonlyMap<SendPart, Prepared>): Map<SendPart, DeliveryOutcome> =>
  new Map([...prepared].flatMap(([part, one]) => ('outcome' in one ? [[part, one.outcome]] : [])));

const heldOf = (prepared: ReadonlyMap<SendPart, Prepared>): Map<SendPart, number> =>
  new Map([...prepared].flatMap(([part, one]) => ('heldUntil' in one ? [[part, one.heldUntil]] : [])));

const ENDINGS = { sent: 'SENT', gone: 'SWITCHED_OFF', refused: 'FAILED' } as const;

/** The kinds that the person has on for a channel. */
const kindsBy = (
  name: DeliveryChannel,
  channelsOf: ReadonlyMap<DeliveryKind, readonly DeliveryChannel[]>,
): ReadonlySet<DeliveryKind> =>
  new Set([...channelsOf].flatMap(([kind, channels]) => (channels.includes(name) ? [kind] : [])));
