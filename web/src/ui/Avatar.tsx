import type { CSSProperties } from 'react';
import styles from './Avatar.module.css';

export interface AvatarProps {
  readonly person: { readonly id: string; readonly displayName: string };
  /** In rem. */
  readonly size?: number;
}

/** Colours that white and dark text can both be read on, in their scheme. */
const HUES = [8, 30, 52, 92, 140, 168, 190, 212, 236, 262, 292, 324];

/** Initials on a colour of the person's own. Pictures from elsewhere are not loaded: no request leaves this origin. */
export function Avatar({ person, size = 2.25 }: AvatarProps) {
  const style = { '--hue': HUES[hash(person.id) % HUES.length], '--size': `${size}rem` } as CSSProperties;
  return (
    <span className={styles.avatar} style={style} aria-hidden="true">
      {initials(person.displayName)}
    </span>
  );
}

const segmenter = new Intl.Segmenter();

/** The first character, as people count them, of the first two words; a long cluster is cut. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...(first(word) ?? '')].slice(0, 3).join('')).join('');
}

const first = (word: string) => segmenter.segment(word).containing(0)?.segment;

/** FNV-1a: ids that differ in one character get colours that differ. */
const hash = (text: string) =>
  [...text].reduce(
    (sum, character) => Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0,
    2_166_136_261,
  ) >>> 8;
