import { newId } from '../../src/core/ids.ts';
import { decodeId, encodeId } from '../../src/graphql/ids.ts';
import type { CreateRoomInput } from '../generated/graphql.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { onDynamoDbLocal } from './dynamo.ts';
import { CreateRoom, JoinRoom, SendMessage } from './operations.ts';

export interface Person extends TestClient {
  readonly handle: string;
  /** As the table names them. */
  readonly id: string;
}

/** Somebody new, so that tests which share an app do not meet. Not in the table before their first request. */
export async function somebody(app: TestApp, name = 'u'): Promise<Person> {
  const handle = `${name}_${newId().slice(0, 8)}`;
  return { ...(await app.as(handle)), handle, id: app.services.users.idOf(handle) };
}

/** So many of them, known to the compiler one by one. */
type Row<N extends number, T extends Person[] = []> = T['length'] extends N ? T : Row<N, [...T, Person]>;

export const people = <N extends number>(app: TestApp, count: N): Promise<Row<N>> =>
  Promise.all(Array.from({ length: count }, (_, i) => somebody(app, `u${i}`))) as Promise<Row<N>>;

/**
 * How many do something at the same moment. DynamoDB Local does one thing at a time: of fifty at once the
 * last would wait longer than the product does.
 */
export const CROWD = onDynamoDbLocal ? 15 : 50;

export const globalId = ({ id }: Person): string => encodeId('User', id);

/** The part of a global id that the table knows. */
export const rawId = (globalId: string): string => decodeId(globalId).id;

/** A new room (public, if nothing else is said) with these members besides its owner; its global id. */
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

/** Sends one message; resolves to what the sender was answered. */
export async function say(sender: TestClient, roomId: string, body: string, replyTo?: string) {
  const input = { roomId, body, ...(replyTo === undefined ? {} : { replyTo }) };
  return (await sender.do(SendMessage, { input })).sendMessage.message;
}
