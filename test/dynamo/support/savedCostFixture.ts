import { userIdOf } from '../../../src/core/identity.ts';
import { commonEntries, goneEntries, savedItems } from '../../saved/support/bulk.ts';
import { openTestDynamo } from '../../support/database/dynamo.ts';
import { type CostFixture, openCostFixture } from './costFixture.ts';

const HANDLE = 'saver';
const MESSAGES = 100;

/**
 * A room and a person who has saved this many messages, and some hundred more with one tag: all that pages of others'
 * lists, and of lists of several tags, examine in any longer list.
 */
export async function openSavedCostFixture(count: number): Promise<CostFixture> {
  const user = userIdOf(HANDLE);
  const entries = [...goneEntries(user, count), ...commonEntries(user)];
  const database = await openTestDynamo({ items: savedItems(entries) });
  return openCostFixture(MESSAGES, { database, dan: HANDLE });
}
