import { idFrom } from './ids.ts';

/** The claims of a valid token that the program uses. */
export interface Identity {
  /** The token's subject: 1 to `CLAIM_MAX` characters without control characters. */
  readonly sub: string;
  /** The claim `preferred_username` as the token has it, which is not always a valid handle. */
  readonly handle?: string;
  readonly name?: string;
  /** The claims as the token has them: perhaps not an address, and not a language tag. */
  readonly picture?: string;
  readonly locale?: string;
  /** The claim `email` as the token has it, and `email_verified`. */
  readonly email?: string;
  readonly emailVerified?: boolean;
  /** The token's own id. */
  readonly jti?: string;
  /** Seconds since 1970; absent if the token does not say. */
  readonly issuedAt?: number;
  /** Seconds since 1970; absent if the token never expires. */
  readonly expiresAt?: number;
}

/** The id of the user whose tokens have this subject. */
export const userIdOf = (sub: string): string => idFrom(`sub:${sub}`);

/** The longest subject, and the longest token id that can be revoked. */
export const CLAIM_MAX = 255;

/** Whether it can be the subject of a token. */
export const isSubject = (sub: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses control characters.
  sub.length <= CLAIM_MAX && sub.isWellFormed() && /^[^\u0000-\u001f\u007f]+$/.test(sub);

/** The tokens that are refused although they are otherwise valid. */
export interface RevokedTokens {
  has(token: Pick<Identity, 'sub' | 'jti' | 'issuedAt'>): boolean;
  /** Whether all tokens of this subject are refused because the account was deleted a short time ago. */
  isDeleted(sub: string): boolean;
  /** Calls the listener after new revocations were read. Returns the function that removes it. */
  onUpdate(listener: () => void): () => void;
}
