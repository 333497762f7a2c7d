import { defined } from '../../../core/defined.ts';
import { notFound, unauthenticated } from '../../../core/errors.ts';
import type { Identity } from '../../../core/identity.ts';
import { DAY_S, secondsOf } from '../../../core/timestamps.ts';
import type { Dynamo } from '../../../dynamo/dynamo.ts';
import { keys } from '../../../dynamo/keys.ts';
import { AGAIN } from '../../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../../dynamo/shapes.ts';
import { ifVersion, type Write } from '../../../dynamo/write.ts';
import { reachableWrite } from '../../delivery.ts';
import {
  listItem,
  listOf,
  type PushSubscription,
  type PushSubscriptionList,
  SUBSCRIPTIONS_MAX,
  subscriptionId,
} from './pushSubscription.ts';

export type PushSubscriptions = ReturnType<typeof createPushSubscriptions>;

export interface PushSubscriptionsOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'batchGet' | 'tryTransact' | 'optimistic'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NewPushSubscription
  extends Pick<PushSubscription, 'endpoint' | 'p256dh' | 'auth' | 'label' | 'key'> {
  /** The claims of the token that registers it. */
  readonly token: Pick<Identity, 'jti' | 'issuedAt' | 'expiresAt'>;
  /** A condition of the transaction under which that token is valid; null: it is revoked. Absent: there is no token. */
  readonly whileValid?: () => Promise<Write | null>;
}

/** For how long a token without an end is known. */
const TOKEN_KEPT_S = 400 * DAY_S;

/**
 * The push subscriptions of users. Those of a user are one item. An item for each endpoint says whose it is, so that
 * one device belongs to one user; one for each token id says whose devices a revocation of that token ends.
 */
export function createPushSubscriptions({ dynamo, now }: PushSubscriptionsOptions) {
  const read = async (user: string): Promise<PushSubscriptionList> =>
    listOf(await dynamo.get(keys.pushSubscriptions(user)));

  /**
   * Adds a subscription, or renews one of the same endpoint. The oldest one goes if the user has too many. A
   * subscription of another user moves to this one if the keys are the same, because only the browser knows them.
   * Throws NOT_FOUND if they differ, and UNAUTHENTICATED if the token was revoked in the meantime: a subscription that
   * is stored before a revocation is removed by it, and none is stored after it. At most four round trips to read and a
   * transaction of at most ten writes.
   */
  const register = (user: string, added: NewPushSubscription): Promise<PushSubscription> =>
    dynamo.optimistic(async () => {
      const { endpoint, p256dh, auth, label, key, token, whileValid } = added;
      const id = subscriptionId(endpoint);
      const [[own, owner], valid] = await Promise.all([
        dynamo.batchGet([keys.pushSubscriptions(user), keys.pushEndpoint(id)]),
        whileValid?.(),
      ]);
      if (valid === null) throw unauthenticated();
      const list = listOf(own);
      const previous = owner?.user as string | undefined;
      const other = previous === undefined || previous === user ? undefined : await read(previous);
      const moved = other?.all.find((one) => one.id === id);
      if (moved !== undefined && (moved.p256dh !== p256dh || moved.auth !== auth)) throw notFound();

      const known = list.all.find((one) => one.id === id);
      const { jti, issuedAt } = token;
      const subscription: PushSubscription = {
        id,
        endpoint,
        p256dh,
        auth,
        label,
        key,
        createdAt: known?.createdAt ?? now(),
        ...(known?.lastUsedAt === undefined ? {} : { lastUsedAt: known.lastUsedAt }),
        token: defined({ jti, issuedAt }),
      };
      const all = [...list.all.filter((one) => one.id !== id), subscription];
      const kept = all.slice(-SUBSCRIPTIONS_MAX);
      const failed = await dynamo.tryTransact({
        valid,
        own: replaced(user, list, kept),
        endpoint: {
          put: { ...keys.pushEndpoint(id), v: FIRST_SHAPE, user },
          ...(previous === undefined
            ? { condition: 'attribute_not_exists(pk)' }
            : { condition: '#user = :user', names: { '#user': 'user' }, values: { ':user': previous } }),
        },
        dropped: all
          .filter((one) => !kept.includes(one))
          .map(({ id: gone }) => ({ delete: keys.pushEndpoint(gone) })),
        token: jti === undefined ? undefined : tokenWrite(user, jti, token.expiresAt),
        badge: list.all.length === 0 ? reachableWrite(user, true) : undefined,
        ...(previous === undefined || other === undefined
          ? {}
          : removed(previous, other, (one) => one.id === id).writes),
      });
      return failed === undefined ? subscription : AGAIN;
    });

  /** Removes those that match. One read, and one transaction if there are any. Resolves to what it removed. */
  const removeWhere = (
    user: string,
    matches: (one: PushSubscription) => boolean,
  ): Promise<readonly PushSubscription[]> =>
    dynamo.optimistic(async () => {
      const list = await read(user);
      const { gone, writes } = removed(user, list, matches);
      if (gone.length === 0) return gone;
      const failed = await dynamo.tryTransact({
        ...writes,
        endpoints: gone.map(({ id }) => ({
          delete: keys.pushEndpoint(id),
          condition: 'attribute_not_exists(pk) OR #user = :user',
          names: { '#user': 'user' },
          values: { ':user': user },
        })),
      });
      return failed === undefined ? gone : AGAIN;
    });

  /** Keeps the day of the last push. Nothing is lost if it is not kept. */
  async function touch(user: string, id: string): Promise<void> {
    const list = await read(user);
    const known = list.all.find((one) => one.id === id);
    if (known === undefined || now() - (known.lastUsedAt ?? 0) < DAY_S * 1_000) return;
    const all = list.all.map((one) => (one === known ? { ...one, lastUsedAt: now() } : one));
    await dynamo.tryTransact({ own: replaced(user, list, all) });
  }

  /** The user who has subscriptions that were registered with this token. */
  async function userOfToken(jti: string): Promise<string | undefined> {
    return (await dynamo.get(keys.pushToken(jti)))?.user as string | undefined;
  }

  const tokenWrite = (user: string, jti: string, expiresAt = secondsOf(now()) + TOKEN_KEPT_S): Write => ({
    put: { ...keys.pushToken(jti), v: FIRST_SHAPE, user, expiresAt },
  });

  return { read, register, removeWhere, touch, userOfToken };
}

/** Writes the list on the condition that it is the one that was read. */
const replaced = (
  user: string,
  { version }: PushSubscriptionList,
  all: readonly PushSubscription[],
): Write => ({
  put: listItem(user, { all, version: version + 1 }),
  ...ifVersion(version),
});

function removed(user: string, list: PushSubscriptionList, matches: (one: PushSubscription) => boolean) {
  const gone = list.all.filter(matches);
  const left = list.all.filter((one) => !gone.includes(one));
  return {
    gone,
    writes: {
      previous: replaced(user, list, left),
      previousBadge: left.length === 0 && gone.length > 0 ? reachableWrite(user, false) : undefined,
    },
  };
}
