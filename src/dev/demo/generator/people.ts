import { userIdOf } from '../../../core/identity.ts';
import type { Timestamp } from '../../../core/timestamps.ts';
import type { User } from '../../../users/user.ts';
import { type Language, languages, shares } from './languages/index.ts';
import { type Random, sums } from './random.ts';

export interface Person {
  readonly user: User;
  readonly language: Language;
}

export interface PeopleOptions {
  readonly random: Random;
  readonly count: number;
  readonly createdAt: Timestamp;
  /** Handles that other users have. */
  readonly taken: ReadonlySet<string>;
}

const HANDLE_MAX = 20;

/**
 * People with names and handles. The subject of a person's token is the handle. Names may repeat; then the handles
 * have numbers.
 */
export function createPeople({ random, count, createdAt, taken }: PeopleOptions): Person[] {
  const used = new Set(taken);
  const many = sums(shares);
  return Array.from({ length: count }, (): Person => {
    const language = languages[random.weighted(many)] ?? random.pick(languages);
    const [given, givenLetters] = random.pick(language.given);
    const [family, familyLetters] = random.pick(language.family);
    const handle = unusedHandle(`${givenLetters}_${familyLetters}`, used);
    used.add(handle);
    const user: User = {
      id: userIdOf(handle),
      handle,
      displayName: language.fullName(given, family),
      avatarUrl: null,
      locale: random.chance(0.8) ? language.locale : null,
      timeZone: null,
      createdAt,
      rooms: 0,
      joinCount: 0,
      handleRev: 1,
    };
    return { user, language };
  });
}

function unusedHandle(wished: string, used: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const number = n === 1 ? '' : String(n);
    const handle = wished.slice(0, HANDLE_MAX - number.length) + number;
    if (!used.has(handle)) return handle;
  }
}
