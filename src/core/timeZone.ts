/** The most characters of a zone's name. */
export const ZONE_MAX = 64;

/** The zone's name as the database writes it; undefined if there is none of this name. */
export function normalizedTimeZone(name: string): string | undefined {
  // Offsets are not zones: they know no daylight saving.
  if (name.length > ZONE_MAX || !/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
