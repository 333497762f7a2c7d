/**
 * The order of a list and the day that it begins with. They are in the address, so that going back and reloading keep
 * them.
 */
import { localDay, startOfLocalDay } from '../dates/days.ts';
import type { SavedOrder } from '../generated/graphql.ts';

export const ORDERS = [
  'SAVED_NEWEST',
  'SAVED_OLDEST',
  'MESSAGE_NEWEST',
  'MESSAGE_OLDEST',
] as const satisfies readonly SavedOrder[];

export interface Shown {
  readonly order: SavedOrder;
  /** As `2026-01-05`, in the zone of the browser. Undefined: the list has all days. */
  readonly day: string | undefined;
}

/** What the query of an address says. */
export function shownIn(query: string): Shown {
  const search = new URLSearchParams(query);
  const named = search.get('order');
  const order = ORDERS.find((one) => nameOf(one) === named) ?? ORDERS[0];
  const day = search.get('from') ?? '';
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && localDay(startOfLocalDay(day)) === day;
  return { order, day: isDay ? day : undefined };
}

/** The query of the address. Empty for the newest of all days. */
export function queryOf({ order, day }: Shown): string {
  const search = new URLSearchParams({
    ...(order === ORDERS[0] ? {} : { order: nameOf(order) }),
    ...(day === undefined ? {} : { from: day }),
  });
  return search.size === 0 ? '' : `?${search}`;
}

const nameOf = (order: SavedOrder) => order.toLowerCase().replace('_', '-');

/** The first moment of the list, in milliseconds since 1970: the last one of the day if the newest come first. */
export function startOf({ order, day }: Shown): number | undefined {
  if (day === undefined) return undefined;
  const start = startOfLocalDay(day);
  if (order === 'SAVED_OLDEST' || order === 'MESSAGE_OLDEST') return start.getTime();
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime() - 1;
}
