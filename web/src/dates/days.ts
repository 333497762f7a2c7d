const two = (number: number) => String(number).padStart(2, '0');

/** The value of an `<input type="date">`, in the zone of the browser. */
export const localDay = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The moment at which such a day begins in the zone of the browser. */
export const startOfLocalDay = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
};
