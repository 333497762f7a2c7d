import { unauthenticated } from '../core/errors.ts';
import { mutationWithoutInput } from '../graphql/mutation.ts';
import { UserRef } from '../users/types.ts';
import type { SignOut } from './signOut.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly signOut: SignOut;
  }
}

mutationWithoutInput('signOutEverywhere', {
  description:
    'Refuses all tokens of the viewer that were issued until now, this one included, on every device: within 5 seconds every server answers them with `UNAUTHENTICATED` and closes their websockets with 4403. Browsers that were registered with them receive no more deliveries. A token that is issued later is valid, from the next second on. `FORBIDDEN` if the token does not say when it was issued (`iat`). Idempotent.',
  limit: 'profiles',
  resolve: async (viewer, { services, identity }) => {
    if (identity === null) throw unauthenticated();
    const user = await services.signOut.everywhere(viewer, identity);
    services.users.forget(identity.sub);
    return { user };
  },
  payload: (t) => ({
    user: t.expose('user', { type: UserRef, description: 'The viewer, with the tokens refused.' }),
  }),
});
