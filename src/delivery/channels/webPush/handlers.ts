import { userIdOf } from '../../../core/identity.ts';
import { covers, revocationOf } from '../../../revocations/revocation.ts';
import type { StreamHandler } from '../../../stream/change.ts';
import type { PushSubscriptions } from './pushSubscriptions.ts';

/** Ends the subscriptions of devices whose token was revoked. Idempotent: it removes what it finds. */
export const createRevocationHandler = (
  subscriptions: Pick<PushSubscriptions, 'removeWhere' | 'userOfToken'>,
): StreamHandler => ({
  name: 'pushRevocations',
  itemTypes: ['revocation'],
  async handle(changes) {
    for (const { key, old, new: item } of changes) {
      if (key.type !== 'revocation' || item === undefined || old !== undefined) continue;
      const revocation = revocationOf(key.number, item);
      const user =
        'user' in revocation
          ? revocation.user
          : 'sub' in revocation
            ? userIdOf(revocation.sub)
            : await subscriptions.userOfToken(revocation.jti);
      if (user !== undefined) await subscriptions.removeWhere(user, ({ token }) => covers(revocation, token));
    }
  },
});
