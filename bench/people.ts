/** The readers, who have been here before with the same tokens, as after a restart of the server. */
import type { Users } from '../src/users/users.ts';
import { nameOf, tokenFor } from '../test/support/clients/tokens.ts';

const ISSUED = new Date('2026-01-01T00:00:00Z');

const handleOf = (reader: number) => `person-${reader}`;

export const tokenOf = (reader: number): Promise<string> => tokenFor(handleOf(reader), '1 hour', ISSUED);

/** Lets the reader in, as their first request does. Returns the user's id. */
export function letIn(users: Users, reader: number): Promise<string> {
  const handle = handleOf(reader);
  return users.ensure({ sub: handle, handle, name: nameOf(handle), issuedAt: ISSUED.getTime() / 1_000 });
}
