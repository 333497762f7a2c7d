/**
 * What every user has saved of the room, with a reminder and tags: also those who were never, or are not any more, in
 * it.
 */
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { writeCounts } from '../../../src/saved/counts.ts';
import { rowWrites, type SavedEntry, savedId, writeEntry } from '../../../src/saved/entry.ts';
import { timerWrites } from '../../../src/saved/reminders/reminder.ts';
import { messageKey } from '../../support/clients/people.ts';
import type { TestApp } from '../../support/servers/app.ts';
import type { RoomFixture, User } from './room.ts';
import { TAGS, tagWrites } from './savedJobs.ts';

/** Years ahead, so that none is due. */
export const REMIND_AT = Date.now() + 10 ** 11;
/** As GraphQL. */
export const remindAt = `remindAt: "${new Date(REMIND_AT).toISOString()}"`;

const remindedOf = ({ contributions }: RoomFixture) => messageKey(contributions.owner?.message ?? '');

export const reminderId = (fixture: RoomFixture, { id: user }: User): string =>
  encodeId('SavedMessage', savedId({ user, ...remindedOf(fixture) }));

export async function addReminders({ dynamo }: TestApp, fixture: RoomFixture): Promise<void> {
  const message = remindedOf(fixture);
  for (const owner of Object.values(fixture.users)) {
    const { id: user } = owner;
    const entry: SavedEntry = {
      user,
      ...message,
      savedAt: toTimestamp(Date.now() * 1_000),
      visibility: 'PRIVATE',
      note: 'hidden note',
      tags: TAGS,
      remindAt: REMIND_AT,
      version: 1,
    };
    await dynamo.transact([
      writeEntry(entry, 0),
      ...rowWrites(undefined, entry),
      writeCounts(user, [{ before: undefined, after: entry }]),
      ...timerWrites(undefined, entry),
      ...tagWrites(owner),
    ]);
  }
}
