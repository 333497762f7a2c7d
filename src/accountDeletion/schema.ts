import { z } from 'zod';
import { encodeId } from '../graphql/ids.ts';
import { mutation } from '../graphql/mutation.ts';
import type { AccountDeletion } from './accountDeletion.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly accountDeletion: AccountDeletion;
  }
}

/** Longer than any handle or id. */
const CONFIRM_MAX = 255;

mutation('deleteAccount', {
  description:
    "Deletes the viewer's account. The profile is empty at once: `User.isFormer` is true, and the handle stays reserved for 14 days. All tokens of the viewer are refused with `ACCOUNT_DELETED`, also later ones, until an operator opens the account again; open connections are closed within 5 seconds. Rooms whose last owner goes get another one. Memberships, likes, stamps, notifications and settings are deleted in the background. This cannot be undone. `BAD_USER_INPUT` if it is not confirmed.",
  limit: 'profiles',
  input: (t) => ({
    confirm: t.string({
      required: true,
      description: "The viewer's own handle or id, typed as a confirmation.",
      validate: z.string().max(CONFIRM_MAX),
    }),
    eraseMessages: t.boolean({
      required: true,
      description:
        "Whether the viewer's messages lose their text in the background, as deleted ones do. Otherwise they stay, by a former member.",
    }),
  }),
  resolve: async (viewer, input, { services, identity }) => {
    await services.accountDeletion.remove(viewer, input);
    if (identity !== null) services.users.forget(identity.sub);
    return { deletedUserId: encodeId('User', viewer) };
  },
  payload: (t) => ({
    deletedUserId: t.exposeID('deletedUserId', {
      description: 'The id of the user, which is that of a former member now.',
    }),
  }),
});
