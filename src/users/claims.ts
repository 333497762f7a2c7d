import { type Identity, userIdOf } from '../core/identity.ts';
import { newId } from '../core/ids.ts';
import { acceptableName } from '../graphql/validation.ts';
import { isAllowedHandle, isReservedHandle } from './handles.ts';
import { HANDLE, normalizedAvatarUrl, normalizedHandle, normalizedLocale, type User } from './user.ts';

/** The claims that concern the profile. */
export type Claims = Pick<Identity, 'sub' | 'handle' | 'name' | 'picture' | 'locale' | 'issuedAt'>;

export const DISPLAY_NAME_MAX = 80;
const HANDLE_MAX = 20;

/** Providers put e-mail addresses into both names. A profile is public, so it never shows one. */
const EMAIL = /\S@\S/u;

/** Whether the text has an e-mail address in it, as far as one can say, also one in full-width characters. */
export const looksLikeEmail = (text: string): boolean => EMAIL.test(text.normalize('NFKC'));

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

/** The lengths of the parts of the user's id in neutral handles. */
const NEUTRAL = [5, 15];

/**
 * The handles to try for a `preferred_username`, the best first: `john.doe` and `john.doe@example.org` become
 * `john_doe`, and if it is taken, `john_doe_2` and others. A reserved word begins with `admin_2`. If nothing of it can
 * be in a handle, because it is in another script, the handle is `user_` and a part of the user's id, which everyone
 * can read and take before: the last one is random. None if there is no name. The first is always the same, so that
 * later tokens with the same name do not look like a change.
 */
export function handlesFrom({ handle = '', sub }: Pick<Claims, 'handle' | 'sub'>): string[] {
  if (handle.trim() === '') return [];
  const requested = normalizedHandle(handle);
  const isValid = HANDLE.test(requested) && !isReservedHandle(requested);
  const base = isValid ? requested : baseOf(handle);
  if (base === '') {
    const parts = [...NEUTRAL.map((length) => userIdOf(sub).slice(0, length)), newId().slice(0, 15)];
    return parts.map((part) => `user_${part}`);
  }
  const numbered = ['2', '3', newId().slice(0, 5)].map(
    (end) => `${base.slice(0, HANDLE_MAX - 1 - end.length)}_${end}`,
  );
  return [base, ...numbered].filter(isAllowedHandle);
}

/** Whether the name asks for this handle, reserved or not: users keep a handle that was reserved later. */
export const asksFor = ({ handle = '' }: Pick<Claims, 'handle'>, wanted: string): boolean =>
  wanted !== '' && (wanted === normalizedHandle(handle) || wanted === baseOf(handle));

/** The part of a text that can be in a handle. Of an e-mail address, the part before the `@`. */
const baseOf = (text: string): string =>
  (text.slice(0, 255).normalize('NFKD').split('@', 1)[0] ?? '')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, HANDLE_MAX)
    .replace(/^_+|_+$/g, '');
