/** The ids of what comes from other systems: always the same for the same id of the same source. */
import { userIdOf } from '../core/identity.ts';
import { idFrom } from '../core/ids.ts';
import { acceptableName } from '../graphql/validation.ts';
import { DISPLAY_NAME_MAX } from '../users/claims.ts';
import type { ImportedPerson } from './types.ts';

/** A name of the other system, such as `slack`. */
export const SOURCE = /^[a-z0-9-]{1,32}$/;

/** The longest id of another system. */
export const EXTERNAL_ID_MAX = 200;

export interface Identities {
  /** `import:<source>:<id>` */
  readonly externalId: (id: string) => string;
  readonly person: (id: string) => string;
  readonly room: (id: string) => string;
}

/** No token has one of these ids: those of tokens are made of `sub:` and the subject. */
export const identitiesOf = (source: string): Identities => ({
  externalId: (id) => `import:${source}:${id}`,
  person: (id) => idFrom(`import:${source}:${id}`),
  room: (id) => idFrom(`import-room:${source}:${id}`),
});

/** What is known about a person of the other system. */
export interface KnownPerson {
  readonly id: string;
  readonly displayName?: string | undefined;
  readonly handle?: string | undefined;
  /** The subject of the person's tokens: only an operator says so. */
  readonly subject?: string | undefined;
}

/** Names never show an e-mail address. */
const withoutDomain = (name: string): string => name.replace(/(\S)@\S+/gu, '$1');

/** With a subject it is the user of these tokens, whose first one fills the profile. */
export function importedPerson(
  { id, displayName = id, handle, subject }: KnownPerson,
  identities: Identities,
): ImportedPerson {
  return {
    id: subject === undefined ? identities.person(id) : userIdOf(subject),
    externalId: identities.externalId(id),
    displayName: acceptableName(withoutDomain(displayName), DISPLAY_NAME_MAX) ?? 'Someone',
    handle: handle ?? null,
    followsToken: subject !== undefined,
  };
}
