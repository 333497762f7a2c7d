/**
 * What a webhook received, compared with what users were notified of. No user reads a notification, so each is
 * delivered, once.
 */
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../../../../src/dynamo/keys.ts';
import { encodeId } from '../../../../src/graphql/ids.ts';
import type { Receiver } from '../../../delivery/support/receiver.ts';
import { itemsIn } from '../../../support/database/table.ts';
import { differs, listDiffers } from './differs.ts';
import type { Notified } from './notified.ts';
import type { Told } from './told.ts';

/** Short, so that there are many deliveries, and long enough that something waits at each moment. */
const WINDOW_S = 2;
/** Others, such as `LIKE`, wait for an hour before they are delivered. */
const KINDS = ['MENTION', 'REMINDER'];

/** What servers have, and each command that does their work. */
export const deliveryEnv = ({ url, secret }: Receiver): Readonly<Record<string, string>> => ({
  WEBHOOKS: JSON.stringify([{ url, secret, kinds: KINDS }]),
  WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  DELIVERY_WINDOWS: `MENTION=1s/${WINDOW_S}s,REMINDER=0s/0s`,
});

export interface WrongDeliveriesOptions {
  readonly dynamo: Dynamo;
  readonly receiver: Receiver;
  readonly notified: readonly Notified[];
}

/**
 * Whether each notification is in one delivery that was sent, deliveries of one kind are as far apart as they have to
 * be, and each was received in one request, which may have been repeated.
 */
export async function wrongDeliveries(
  user: Told,
  { dynamo, receiver, notified }: WrongDeliveriesOptions,
): Promise<string[]> {
  const decided = (await itemsIn(dynamo, ranges.deliveries(user.id))).map((item) => {
    const key = parseKey(keyOf(item));
    return {
      id: key.type === 'delivery' ? encodeId('Delivery', key.at) : '',
      kinds: item.kinds as string[],
      about: item.about as string[],
      outcome: String(item.outcome),
      at: Number(item.decidedAt),
    };
  });
  const received = receiver.requests.flatMap(({ id: request, deliveries }) =>
    deliveries.flatMap(({ id, user: { id: of } }) => (of === user.globalId ? [{ id, request }] : [])),
  );
  const requests = new Set(received.map(({ id, request }) => `${id} in ${request}`));
  const mentions = decided.filter(({ kinds }) => kinds.includes('MENTION')).map(({ at }) => at);
  const tooSoon = mentions.filter((at, i) => at - (mentions[i - 1] ?? 0) < WINDOW_S * 1_000);
  return [
    ...decided.flatMap(({ id, outcome }) => differs(`the outcome of ${id}`, outcome, 'SENT')),
    ...listDiffers(
      `notifications of ${user.handle} that were delivered`,
      decided.flatMap(({ about }) => about),
      notified.flatMap(({ id, kind }) => (KINDS.includes(kind) ? [id] : [])),
    ),
    ...listDiffers(
      `deliveries to ${user.handle} that were received`,
      [...requests].map((line) => line.split(' ')[0] ?? ''),
      decided.map(({ id }) => id),
    ),
    ...tooSoon.map((at) => `A mention of ${user.handle} was delivered too soon, at ${at}`),
    ...differs('requests with a wrong signature', receiver.strange(), 0),
  ];
}
