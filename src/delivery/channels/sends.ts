import type { DeliveryKind } from '../../core/deliveryKinds.ts';
import { type BackoffPolicy, backoffMs } from '../../core/retry.ts';
import { DAY_S, type Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { hashed, keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { Write } from '../../dynamo/write.ts';
import { timerKey } from '../../timers/queue.ts';
import { setTimer, type Timer, type TimerKind } from '../../timers/timer.ts';
import { badgeOf } from '../../unread/badge/badge.ts';
import {
  ATTEMPTS_MAX,
  type Delivery,
  type DeliveryChannel,
  type DeliveryOutcome,
  type DeliveryText,
  type Describe,
  deliveryItem,
  deliveryOf,
  ENDPOINTS_MAX,
  type Endpoint,
  type Sends,
} from '../delivery.ts';
import { createBreaker } from './breaker.ts';
import { type Channel, type Message, type SendResult, TIMEOUT_MS } from './channel.ts';

export interface SendsOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'tryTransact' | 'optimistic'>;
  readonly channels: readonly Channel[];
  readonly describe: Describe;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the end of every send. */
  readonly onEnd?: (channel: DeliveryChannel, outcome: DeliveryOutcome) => void;
}

/** What the timer of a send stores. It is all there is of a send. */
type SendAbout = {
  readonly user: string;
  readonly delivery: Timestamp;
  readonly channel: DeliveryChannel;
  readonly endpoint: string;
  /** How many sends the delivery has. */
  readonly of: number;
  /** How often it was claimed. */
  readonly attempt: number;
};

const SEND_KIND = 'send';
/** For as long after the decision it is tried. */
const GIVE_UP_MS = DAY_S * 1_000;
const PAUSES: BackoffPolicy = { firstMs: 5_000, longestMs: 3_600_000, jitter: 'half' };
/** A claimed attempt ends in this time. If its process dies, the next attempt begins after it. */
const CLAIM_MS = 2 * TIMEOUT_MS;

/**
 * The sends of what was decided: one timer for each endpoint, and nothing else. An attempt is claimed by moving the timer
 * to the time when the attempt must have ended, on the condition that it is where it was: of two processes one moves it,
 * and only this one sends. The end of an attempt moves it to the next one, or deletes it, in one transaction with what
 * the delivery says about it.
 */
export function createSends(options: SendsOptions) {
  const { dynamo, channels, describe, now, onEnd = () => {} } = options;
  const byName = new Map(channels.map((channel) => [channel.name, channel]));
  const breaker = createBreaker(now);

  /** One round trip for each channel, at the same time. */
  async function endpointsBy(
    user: string,
    wanted: ReadonlySet<DeliveryChannel>,
  ): Promise<readonly Endpoint[]> {
    const found = await Promise.all(
      channels
        .filter(({ name }) => wanted.has(name))
        .map(async ({ name, endpointsOf }) =>
          (await endpointsOf(user)).map(({ id, origin }) => ({ channel: name, id, origin })),
        ),
    );
    return found.flat().slice(0, ENDPOINTS_MAX);
  }

  const sends: Sends = {
    reachesEveryone: (_kind: DeliveryKind) => false,
    endpointsOf: (user, channelsOf) => endpointsBy(user, new Set([...channelsOf.values()].flat())),
    writesFor: ({ user, id, decidedAt }, endpoints): Write[] =>
      endpoints.map(({ channel, id: endpoint, origin }) =>
        setTimer({
          id: `send:${user}:${id}:${endpoint}`,
          kind: SEND_KIND,
          due: decidedAt,
          owner: origin,
          about: { user, delivery: id, channel, endpoint, of: endpoints.length, attempt: 0 },
        }),
      ),
  };

  async function handle(timer: Timer<SendAbout>): Promise<void> {
    const { about, owner: origin } = timer;
    const { user, channel: name } = about;
    const channel = byName.get(name);
    // This process knows the kind, and not the channel: it was switched off, or is not set up here.
    if (channel === undefined) return end(timer, 'SWITCHED_OFF');
    const delivery = await read(about);
    if (delivery === undefined) return;
    if (now() - delivery.decidedAt >= GIVE_UP_MS) return end(timer, 'FAILED');
    const waitMs = breaker.wait(origin);
    if (waitMs > 0) return void (await move(timer, now() + waitMs));
    const [endpoints, words, badge] = await Promise.all([
      channel.endpointsOf(user),
      describe(delivery),
      dynamo.get(keys.badge(user)),
    ]);
    const endpoint = endpoints.find(({ id }) => id === about.endpoint);
    if (endpoint === undefined) return end(timer, 'SWITCHED_OFF');
    if (words === null) return end(timer, 'NOTHING_LEFT');

    const claimed = await move(timer, now() + CLAIM_MS, about.attempt + 1);
    // Another process has it.
    if (claimed === undefined) return;
    const message = messageOf(delivery, words, badgeOf(badge).total, now());
    const result = await channel.send(message, endpoint);
    breaker.ended(origin, result.outcome === 'retry' && result.timedOut === true);
    await settle(claimed, result, delivery.decidedAt + GIVE_UP_MS);
  }

  async function settle(timer: Timer<SendAbout>, result: SendResult, until: number): Promise<void> {
    if (result.outcome !== 'retry') return end(timer, result.outcome === 'sent' ? 'SENT' : 'FAILED');
    const pauseMs = Math.max(result.afterMs ?? 0, backoffMs(PAUSES, timer.about.attempt));
    const due = Math.ceil(now() + pauseMs);
    if (due >= until) return end(timer, 'FAILED');
    await move(timer, due);
  }

  async function read({ user, delivery: id }: SendAbout): Promise<Delivery | undefined> {
    const item = await dynamo.get(keys.delivery(user, id));
    return item === undefined ? undefined : deliveryOf(user, id, item);
  }

  /** Undefined if another process has moved the timer. */
  async function move(
    timer: Timer<SendAbout>,
    due: number,
    attempt = timer.about.attempt,
  ): Promise<Timer<SendAbout> | undefined> {
    const { id, kind, owner, about } = timer;
    const moved = { id, kind, owner, due, about: { ...about, attempt } };
    const failed = await dynamo.tryTransact({ old: taken(timer), next: setTimer(moved) });
    return failed === undefined ? moved : undefined;
  }

  /** The delivery's outcome is `SENT` after the first send that worked, otherwise that of the last one. */
  const end = (timer: Timer<SendAbout>, outcome: DeliveryOutcome): Promise<undefined> =>
    dynamo.optimistic(async () => {
      const { about } = timer;
      const delivery = await read(about);
      if (delivery === undefined) return undefined;
      const attempts = [...delivery.attempts, { channel: about.channel, outcome, at: now() }];
      const isLast = attempts.length >= about.of;
      const failed = await dynamo.tryTransact({
        timer: taken(timer),
        delivery: {
          put: deliveryItem({
            ...delivery,
            attempts: attempts.slice(-ATTEMPTS_MAX),
            outcome:
              outcome === 'SENT' || (isLast && delivery.outcome === 'PENDING') ? outcome : delivery.outcome,
            version: delivery.version + 1,
          }),
          condition: 'rev = :rev',
          values: { ':rev': delivery.version },
        },
      });
      if (failed !== undefined && failed.timer === undefined) return AGAIN;
      if (failed === undefined) onEnd(about.channel, outcome);
      return undefined;
    });

  const timerKind: TimerKind<SendAbout> = { name: SEND_KIND, outside: true, handle };
  return { sends, endpointsBy, timerKind };
}

/** Deletes the timer, if it is where it was. */
const taken = (timer: Timer): Write => ({ delete: timerKey(timer), condition: 'attribute_exists(pk)' });

const URGENT: ReadonlySet<string> = new Set(['MENTION', 'DIRECT_MESSAGE', 'REMINDER']);

function messageOf(delivery: Delivery, words: DeliveryText, badge: number, now: number): Message {
  const { id, kinds, rooms, decidedAt } = delivery;
  const left = decidedAt + GIVE_UP_MS - now;
  return {
    ...words,
    ...{ id, badge },
    topic: hashed([...kinds, ...rooms].join(' ')).slice(0, 32),
    isUrgent: kinds.some((kind) => URGENT.has(kind)),
    ttlSeconds: Math.max(0, Math.floor(left / 1_000)),
  };
}
