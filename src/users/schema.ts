import { z } from 'zod';
import { badUserInput } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { text } from '../graphql/validation.ts';
import { loadUser, loadUserOrThrow, UserRef, ViewerRef } from './types.ts';
import { HANDLE, normalizedHandle, type User } from './user.ts';
import { DISPLAY_NAME_MAX, type Users } from './users.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly users: Users;
  }
}

const AVATAR_URL_MAX = 2_048;
const LOCALE_MAX = 35;

builder.queryFields((t) => ({
  viewer: t.field({
    type: ViewerRef,
    description: 'The person who asks.',
    resolve: async (_root, _args, context) => ({
      user: await loadUserOrThrow(requireViewer(context), context.items),
    }),
  }),
  user: t.field({
    type: UserRef,
    nullable: true,
    description: 'A person by their handle; null, without an error, where nobody has it.',
    args: {
      handle: t.arg.string({ required: true, description: 'Without the `@`, in upper or lower case.' }),
    },
    resolve: async (_root, { handle }, { services, items }) => {
      const id = await services.users.byHandle(handle);
      return id === null ? null : loadUser(id, items);
    },
  }),
}));

const handle = z
  .string()
  .transform(normalizedHandle)
  .pipe(z.string().regex(HANDLE, { message: '3 to 20 of the letters a–z, digits and _.' }));

const avatarUrl = z
  .url({ protocol: /^https?$/, message: 'An http or https address.' })
  .max(AVATAR_URL_MAX, { message: `At most ${AVATAR_URL_MAX} characters.` });

const locale = z
  .string()
  .max(LOCALE_MAX)
  .refine((tag) => canonical(tag) !== undefined, { message: 'A language tag, e.g. `en` or `ja`.' })
  .transform((tag) => canonical(tag) ?? tag);

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

const UpdateProfileInput = builder.inputType('UpdateProfileInput', {
  description: 'What is left out stays as it is; null removes.',
  fields: (t) => ({
    handle: t.string({
      description: '3 to 20 of a–z, 0–9 and _; a released one stays yours for 14 days.',
      validate: handle.nullish(),
    }),
    displayName: t.string({
      description: `What others see: at most ${DISPLAY_NAME_MAX} characters; cannot be removed.`,
      validate: text({ characters: DISPLAY_NAME_MAX }).optional(),
    }),
    avatarUrl: t.string({
      description: 'An http or https address of a picture.',
      validate: avatarUrl.nullish(),
    }),
    locale: t.string({ description: 'BCP 47, e.g. `en` or `ja`.', validate: locale.nullish() }),
  }),
});

const UpdateProfilePayload = builder.objectRef<{ readonly user: User }>('UpdateProfilePayload').implement({
  description: 'What `updateProfile` answers.',
  fields: (t) => ({ user: t.expose('user', { type: UserRef, description: 'The viewer as they now are.' }) }),
});

builder.mutationField('updateProfile', (t) =>
  t.field({
    type: UpdateProfilePayload,
    description: 'Changes how others see the viewer. `HANDLE_TAKEN` where another person has the handle.',
    args: { input: t.arg({ type: UpdateProfileInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input }, context) => {
      const viewer = requireViewer(context);
      await context.services.limits.charge('profiles', viewer);
      const { displayName, ...rest } = input;
      if (displayName === null) throw badUserInput('input.displayName', 'It cannot be removed.');
      const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
      const user = await context.services.users.update(
        viewer,
        displayName === undefined ? changes : { ...changes, displayName },
      );
      return { user };
    },
  }),
);
