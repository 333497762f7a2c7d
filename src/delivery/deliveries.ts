import type { DeliveryKind } from '../core/deliveryKinds.ts';
import { badUserInput } from '../core/errors.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import {
  type Delivery,
  type DeliveryChannel,
  deliveryItem,
  deliveryOf,
  type Endpoint,
  type Sends,
} from './delivery.ts';

export type Deliveries = ReturnType<typeof createDeliveries>;

export interface DeliveriesOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'query' | 'tryTransact'>;
  readonly timestamps: Timestamps;
  readonly sends: Pick<Sends, 'writesFor'>;
  readonly endpointsBy: (
    user: string,
    kindsOf: ReadonlyMap<DeliveryChannel, ReadonlySet<DeliveryKind>>,
  ) => Promise<readonly Endpoint[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface DeliveriesPage {
  readonly limit: number;
  /** The id of a delivery to start after. Undefined: with the newest. */
  readonly from: string | undefined;
}

/** What was delivered to users outside the page, and why not. */
export function createDeliveries({ dynamo, timestamps, sends, endpointsBy, now }: DeliveriesOptions) {
  /** Newest first. One query. */
  async function list(user: string, { limit, from }: DeliveriesPage) {
    const after = from === undefined ? {} : { after: keys.delivery(user, from).sk };
    const { items, more } = await dynamo.query(ranges.deliveries(user), { limit, reverse: true, ...after });
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      const isKept = (item.expiresAt as number) * 1_000 > now();
      return key.type === 'delivery' && isKept ? [deliveryOf(user, key.at, item)] : [];
    });
    // The oldest come last, so all that follow an expired one have expired.
    return { nodes, more: more && nodes.length === items.length };
  }

  async function get(user: string, id: string): Promise<Delivery | null> {
    const item = await dynamo.get(keys.delivery(user, id));
    return item === undefined || (item.expiresAt as number) * 1_000 <= now()
      ? null
      : deliveryOf(user, id, item);
  }

  /**
   * Sends a test to all endpoints of the user by one channel. One read and one transaction. Throws BAD_USER_INPUT if
   * there is none.
   */
  async function test(user: string, channel: DeliveryChannel): Promise<Delivery> {
    const endpoints = await endpointsBy(user, new Map([[channel, new Set()]]));
    if (endpoints.length === 0) {
      throw badUserInput('input.channel', 'You have nothing that a test can be sent to by this channel.');
    }
    const at = now();
    const delivery: Delivery = {
      user,
      id: timestamps.next(),
      kinds: [],
      rooms: [],
      notifications: [],
      outcome: 'PENDING',
      attempts: [],
      dueAt: at,
      decidedAt: at,
      version: 1,
    };
    await dynamo.tryTransact({
      delivery: { put: deliveryItem(delivery), condition: 'attribute_not_exists(pk)' },
      sends: sends.writesFor(delivery, endpoints),
    });
    return delivery;
  }

  return { list, get, test };
}
