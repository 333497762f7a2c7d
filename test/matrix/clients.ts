/** Everybody of a world, over both transports: who has no token, and whose token has expired, too. */
import { tokenFor } from '../support/tokens.ts';
import type { Who } from './oracle.ts';
import type { Scene } from './scene.ts';
import { type Answer, type Asker, type Listener, overHttp, overWebSocket } from './transports.ts';

export interface Clients {
  readonly HTTP: Asker;
  readonly websocket: Listener;
}

const HOUR_AGO = '1 hour ago';

/** The token of an expired person is the owner's, who could do everything with a good one. */
export async function clientsOf(url: string, { players }: Scene, who: Who): Promise<Clients> {
  const token = await tokenOf(players, who);
  return { HTTP: overHttp(url, token), websocket: overWebSocket(url, token) };
}

async function tokenOf(players: Scene['players'], who: Who): Promise<string | null> {
  if (who === 'anonymous') return null;
  return who === 'expired' ? tokenFor(players.owner.handle, HOUR_AGO) : players[who].token;
}

/** What is wrong with an answer to who is nobody here; `null`: nothing. */
export function refusesNobody({ data, errors, closed }: Answer): string | null {
  if (closed !== undefined) return closed === 4403 ? null : `closed with ${closed}`;
  const codes = new Set(errors.map(({ extensions }) => extensions?.code));
  if (codes.size !== 1 || !codes.has('UNAUTHENTICATED')) return [...codes].join(', ') || 'no error';
  return isEmpty(data) ? null : 'data';
}

const isEmpty = (data: unknown): boolean =>
  data === null || Object.values(data as object).every((value) => value === null);
