import { defined } from '../core/defined.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import { secondsOf, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { isAllowedHandle, reserveHandle } from '../users/handles.ts';
import { NO_TOKEN_YET } from '../users/tokenFields.ts';
import { type User, userItem } from '../users/user.ts';
import type { Pace } from './pace.ts';
import type { ImportedPerson } from './types.ts';

const AT_ONCE = 8;
const UNITS = 6;

export interface PeopleOptions {
  readonly dynamo: Dynamo;
  readonly pace: Pace;
  readonly people: Iterable<ImportedPerson>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the profiles that do not exist. Resolves to how many there were none of. */
export async function writePeople({ dynamo, pace, people, now }: PeopleOptions): Promise<number> {
  const all = [...people];
  const found = await dynamo.batchGet(all.map(({ id }) => keys.user(id)));
  const missing = all.filter((_, i) => found[i] === undefined);
  await mapAtMost(AT_ONCE, missing, async (person) => {
    await pace.pay(UNITS);
    await create(dynamo, person, now());
  });
  return missing.length;
}

/** A handle that another user has, or that no one may have, is left out. */
async function create(dynamo: Dynamo, person: ImportedPerson, now: number): Promise<void> {
  const { id, displayName, externalId, deletedAt, followsToken } = person;
  const user: User = {
    id,
    displayName,
    avatarUrl: null,
    locale: null,
    timeZone: null,
    createdAt: toTimestamp(now * 1_000),
    rooms: 0,
    joinCount: 0,
    handleRev: 1,
    handle: null,
    ...defined({ externalId, deletedAt }),
  };
  const wanted = person.handle !== null && isAllowedHandle(person.handle) ? [person.handle, null] : [null];
  for (const handle of wanted) {
    const failed = await dynamo.tryTransact({
      profile: {
        put: { ...userItem({ ...user, handle }), ...(followsToken ? NO_TOKEN_YET : {}) },
        condition: 'attribute_not_exists(pk)',
      },
      reservation: handle === null ? undefined : reserveHandle(handle, id, secondsOf(now)),
    });
    if (failed === undefined || failed.profile !== undefined) return;
  }
}
