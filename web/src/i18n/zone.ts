/** Time zones have names of the IANA database, such as `Asia/Tokyo`. */
export const zoneOfBrowser = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone that a user has chosen, if the browser knows it. Otherwise that of the browser. */
export function zoneOf(chosen: string | null | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', chosen == null ? {} : { timeZone: chosen }).resolvedOptions()
      .timeZone;
  } catch {
    return zoneOfBrowser();
  }
}
