import type { Dynamo } from '../../dynamo/dynamo.ts';
import { isId, keys } from '../../dynamo/keys.ts';
import { idOf } from '../../graphql/ids.ts';
import { normalizedHandle } from '../../users/user.ts';

/** The id of the user with this handle, or id as the API or the table has it. Undefined if no user has this handle. */
export async function userNamed(dynamo: Dynamo, name: string): Promise<string | undefined> {
  const id = idOf('User', name);
  if (id !== undefined && isId(id)) return id;
  const handle = normalizedHandle(name.replace(/^@/, ''));
  const item = /^\w{1,20}$/.test(handle) ? await dynamo.get(keys.handle(handle)) : undefined;
  if (item !== undefined && item.expiresAt === undefined) return item.user as string;
  return isId(name) ? name : undefined;
}
