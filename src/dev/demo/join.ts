import { TsudoiError } from '../../core/errors.ts';
import type { Services } from '../../graphql/context.ts';

const unlessThere = (error: unknown): void => {
  if (!(error instanceof TsudoiError) || error.code !== 'ALREADY_MEMBER') throw error;
};

/** Lets people into rooms through the same door as everybody. Resolves to those of the handles that are somebody's. */
export async function joinRooms(
  { users, rooms }: Pick<Services, 'users' | 'rooms'>,
  handles: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  const joined: string[] = [];
  for (const handle of handles) {
    const user = await users.byHandle(handle);
    if (user === null) continue;
    for (const id of ids) await rooms.join(user, id).catch(unlessThere);
    joined.push(handle);
  }
  return joined;
}
