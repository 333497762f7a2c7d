import type { Identity } from '../core/identity.ts';
import { newId } from '../core/ids.ts';
import { acceptableName } from '../graphql/validation.ts';
import { isAllowedHandle, RESERVED_HANDLES } from './handles.ts';
import { HANDLE, normalizedAvatarUrl, normalizedHandle, normalizedLocale, type User } from './user.ts';

/** The claims that concern the profile. */
export type Claims = Pick<Identity, 'sub' | 'handle' | 'name' | 'picture' | 'locale' | 'issuedAt'>;

export const DISPLAY_NAME_MAX = 80;
const HANDLE_MAX = 20;

/** Providers put e-mail addresses into both names. A profile is public, so it never shows one. */
const EMAIL = /\S@\S/u;

/** Whether the text has an e-mail address in it, as far as one can say. */
export const looksLikeEmail = (text: string): boolean => EMAIL.test(text);

/** What a token says about a new profile, except for its handle. */
export function profileOf({
  handle = '',
  name = '',
  picture = '',
  locale = '',
}: Claims): Pick<User, 'displayName' | 'avatarUrl' | 'locale'> {
  return {
    displayName: publicName(name) ?? publicName(handle) ?? publicName(baseOf(handle)) ?? 'Someone',
    avatarUrl: normalizedAvatarUrl(picture) ?? null,
    // Some providers write `en_US`.
    locale: normalizedLocale(locale.replaceAll('_', '-')) ?? null,
  };
}

const publicName = (text: string): string | undefined =>
  looksLikeEmail(text) ? undefined : acceptableName(text, DISPLAY_NAME_MAX);

/**
 * The handles to try for a `preferred_username`, the best first: `john.doe` and `john.doe@example.org` become `john_doe`,
 * and if it is taken, `john_doe_2` and others. None if nothing of it can be in a handle, or if it is a reserved word.
 */
export function handlesFrom({ handle = '' }: Pick<Claims, 'handle'>): string[] {
  const requested = normalizedHandle(handle);
  const base = HANDLE.test(requested) ? requested : baseOf(handle);
  if (base === '' || RESERVED_HANDLES.has(base)) return [];
  const numbered = ['2', '3', newId().slice(0, 5)].map(
    (end) => `${base.slice(0, HANDLE_MAX - 1 - end.length)}_${end}`,
  );
  return [base, ...numbered].filter(isAllowedHandle);
}

/** The part of a text that can be in a handle. Of an e-mail address, the part before the `@`. */
const baseOf = (text: string): string =>
  (text.slice(0, 255).split('@', 1)[0] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, HANDLE_MAX)
    .replace(/^_+|_+$/g, '');
