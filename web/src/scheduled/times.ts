/** Times in the zone of the browser. */
const MINUTE_MS = 60_000;
const MORNING = 9;

export const inTwentyMinutes = (): Date => new Date(Date.now() + 20 * MINUTE_MS);

export function tomorrowMorning(): Date {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, MORNING);
}

const two = (number: number) => String(number).padStart(2, '0');

/** The value of an `<input type="datetime-local">`. */
export const localValue = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/** The first whole minute that the server accepts. */
export const earliest = (): Date => new Date(Math.ceil(Date.now() / MINUTE_MS + 1) * MINUTE_MS);
