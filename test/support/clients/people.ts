import { defined } from '../../../src/core/defined.ts';
import { newId } from '../../../src/core/ids.ts';
import { decodeId, encodeId } from '../../../src/graphql/ids.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import type { CreateRoomInput } from '../../generated/graphql.ts';
import { onDynamoDbLocal } from '../database/dynamo.ts';
import type { TestApp } from '../servers/app.ts';
import type { TestClient } from './client.ts';
import { CreateRoom, JoinRoom, SendMessage } from './operations.ts';

export interface Person extends TestClient {
  readonly handle: string;
  /** The id in the table. */
  readonly id: string;
}

/** A new user, so that tests that share an app do not meet. The first request writes the user to the table. */
export const newUser = (app: TestApp, name = 'u'): Promise<Person> =>
  userOf(app, `${name}_${newId().slice(0, 8)}`);

export const userOf = async (app: TestApp, handle: string): Promise<Person> => ({
  ...(await app.as(handle)),
  handle,
  id: app.services.users.idOf(handle),
});

/** The same user with new connections, to this server. */
export const connectTo = async (app: TestApp, { handle, id }: Person): Promise<Person> => ({
  ...(await app.as(handle)),
  handle,
  id,
});

/** Several new users, as a tuple. */
type Row<N extends number, T extends Person[] = []> = T['length'] extends N ? T : Row<N, [...T, Person]>;

export const people = <N extends number>(app: TestApp, count: N): Promise<Row<N>> =>
  Promise.all(Array.from({ length: count }, (_, i) => newUser(app, `u${i}`))) as Promise<Row<N>>;

/**
 * How many users do something at the same moment. DynamoDB Local does one thing at a time: the last of fifty users
 * would wait longer than the product does.
 */
export const CROWD = onDynamoDbLocal ? 15 : 50;

export const globalId = ({ id }: Person): string => encodeId('User', id);

/** The id in the table of a global id. */
export const rawId = (globalId: string): string => decodeId(globalId).id;

/** The key in the table of a message's global id. */
export function messageKey(globalId: string): MessageKey {
  const [room = '', threadTs = '', ts = ''] = rawId(globalId).split(':');
  return { room, threadTs, ts };
}

/** Creates a room with an owner and members, public by default, and returns its global id. */
export async function roomOf(
  owner: TestClient,
  members: readonly TestClient[] = [],
  input: Partial<CreateRoomInput> = {},
): Promise<string> {
  const made = await owner.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC', ...input } });
  const roomId = made.createRoom.room.id;
  for (const member of members) await member.do(JoinRoom, { roomId });
  return roomId;
}

/** Sends a message and returns the response. */
export async function say(sender: TestClient, roomId: string, body: string, replyTo?: string) {
  const input = { roomId, body, ...defined({ replyTo }) };
  return (await sender.do(SendMessage, { input })).sendMessage.message;
}
