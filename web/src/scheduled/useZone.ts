import { zoneOf, zoneOfBrowser } from '../i18n/zone.ts';
import { useSession } from '../session/session.ts';
import { useScheduledTexts } from './texts.ts';

/** The zone of the times that the viewer enters, and what names it if it is not that of the browser. */
export function useZone() {
  const { viewer } = useSession();
  const texts = useScheduledTexts();
  const zone = zoneOf(viewer.timeZone);
  return { zone, zoneHint: zone === zoneOfBrowser() ? undefined : texts.zone(zone) };
}
