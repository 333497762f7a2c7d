import './lists.ts';
import { z } from 'zod';
import { badUserInput } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { requireViewer } from '../graphql/context.ts';
import { mutation } from '../graphql/mutation.ts';
import { text, timeZone } from '../graphql/validation.ts';
import { DISPLAY_NAME_MAX } from './claims.ts';
import { isReservedHandle } from './handles.ts';
import { loadUser, UserRef, ViewerRef } from './types.ts';
import {
  AVATAR_URL_MAX,
  HANDLE,
  HANDLE_MAX,
  HANDLE_MIN,
  LOCALE_MAX,
  normalizedAvatarUrl,
  normalizedHandle,
  normalizedLocale,
} from './user.ts';
import type { Users } from './users.ts';

declare module '../graphql/context.ts' {
  interface Services {
    readonly users: Users;
  }
}

builder.queryFields((t) => ({
  viewer: t.field({
    type: ViewerRef,
    description: 'The signed-in user.',
    resolve: (_root, _args, context) => ({ id: requireViewer(context) }),
  }),
  user: t.field({
    type: UserRef,
    nullable: true,
    description: 'A user by their handle; null without an error if no user has it.',
    args: {
      handle: t.arg.string({
        required: true,
        description: 'The handle without the `@`, in upper or lower case.',
      }),
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
  .superRefine((chosen, context) => {
    if (HANDLE.test(chosen)) return;
    const [min, max] = [HANDLE_MIN, HANDLE_MAX];
    const limit = chosen.length < min ? min : chosen.length > max ? max : undefined;
    context.addIssue({
      code: 'custom',
      message: `must have ${min} to ${max} of the characters a–z, 0–9 and _.`,
      params: limit === undefined ? {} : { min, max, limit },
    });
  })
  .refine((chosen) => !isReservedHandle(chosen), {
    message: 'is a reserved word. Choose another handle.',
  });

const avatarUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address.' })
  .max(AVATAR_URL_MAX)
  .transform((address, context) => {
    const normalized = normalizedAvatarUrl(address);
    if (normalized !== undefined) return normalized;
    const message = `must be an http or https address without a user name, at most ${AVATAR_URL_MAX} characters.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const locale = z
  .string()
  .max(LOCALE_MAX)
  .refine((tag) => normalizedLocale(tag) !== undefined, {
    message: 'must be a language tag, e.g. `en` or `ja`.',
  })
  .transform((tag) => normalizedLocale(tag) ?? tag);

mutation('updateProfile', {
  description: 'Changes how other users see the viewer. `HANDLE_TAKEN` if another user has the handle.',
  limit: 'profiles',
  inputDescription:
    'The arguments of `updateProfile`. An omitted field keeps its value; null removes the value.',
  input: (t) => ({
    handle: t.string({
      description:
        'The new handle: 3 to 20 of the characters a–z, 0–9 and _; upper case becomes lower case. Some words, such as `everyone` and `admin`, are refused. The old handle stays reserved for the viewer for 14 days, or until two more are released. It can be changed three times a day; then `RATE_LIMITED`.',
      validate: handle.nullish(),
    }),
    displayName: t.string({
      description: `The name that other users see: 1 to ${DISPLAY_NAME_MAX} characters. Outer white space is removed. It cannot be removed: null is refused with \`BAD_USER_INPUT\`.`,
      validate: text({ characters: DISPLAY_NAME_MAX, name: true }).optional(),
    }),
    avatarUrl: t.string({
      description: `The http or https address of a picture, without a user name or password: at most ${AVATAR_URL_MAX} characters. It is stored in its normal form.`,
      validate: avatarUrl.nullish(),
    }),
    locale: t.string({
      description: `The language of texts for the viewer, as a BCP 47 tag, e.g. \`en\` or \`ja\`: at most ${LOCALE_MAX} characters.`,
      validate: locale.nullish(),
    }),
    timeZone: t.string({
      description:
        'The IANA name of the time zone that the user lives in, e.g. `Asia/Tokyo`. Everyone who is signed in can see it.',
      validate: timeZone.nullish(),
    }),
  }),
  resolve: async (viewer, { displayName, ...rest }, { services }) => {
    if (displayName === null)
      throw badUserInput('input.displayName', '`input.displayName` must not be null.');
    const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const user = await services.users.update(
      viewer,
      displayName === undefined ? changes : { ...changes, displayName },
    );
    return { user };
  },
  payload: (t) => ({
    user: t.expose('user', { type: UserRef, description: "The viewer's changed profile." }),
  }),
});
