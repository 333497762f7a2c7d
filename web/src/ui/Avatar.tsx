import type { CSSProperties } from 'react';
import styles from './Avatar.module.css';

export interface AvatarProps {
  readonly person: { readonly id: string; readonly displayName: string };
  /** Width and height in rem. */
  readonly size?: number;
}

/** Hues on which the initials are legible in both colour schemes. */
const HUES = [8, 30, 52, 92, 140, 168, 190, 212, 236, 262, 292, 324];

/** A user's initials on a colour derived from their id. No picture is loaded, so no request leaves this origin. */
export function Avatar({ person, size = 2.25 }: AvatarProps) {
  const style = { '--hue': HUES[hash(person.id) % HUES.length], '--size': `${size}rem` } as CSSProperties;
  return (
    <span className={styles.avatar} style={style} aria-hidden="true">
      {initials(person.displayName)}
    </span>
  );
}

const segmenter = new Intl.Segmenter();

/** The first grapheme of each of the first two words. Graphemes of more than 3 code points are cut. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...(first(word) ?? '')].slice(0, 3).join('')).join('');
}

const first = (word: string) => segmenter.segment(word).containing(0)?.segment;

/** FNV-1a: ids that differ in one character get different hashes. */
const hash = (text: string) =>
  [...text].reduce(
    (sum, character) => Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0,
    2_166_136_261,
  ) >>> 8;
