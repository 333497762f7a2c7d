import { keep } from '../state/keep.ts';
import { TONES, type Tone } from './emoji.ts';

const MOST = 16;
const TONE = 'tsudoi:emoji-tone';
const recentKey = (viewerId: string) => `tsudoi:emoji-recent:${viewerId}`;

/** The characters that the viewer used last in this browser, the newest first. */
export function recentEmoji(viewerId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(recentKey(viewerId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberEmoji(viewerId: string, character: string): void {
  const others = recentEmoji(viewerId).filter((one) => one !== character);
  keep(localStorage, recentKey(viewerId), JSON.stringify([character, ...others].slice(0, MOST)));
}

/** The skin tone that was chosen in this browser. */
export const keptTone = (): Tone => TONES.find((tone) => String(tone) === localStorage.getItem(TONE)) ?? 0;
export const keepTone = (tone: Tone): void => void keep(localStorage, TONE, String(tone));
