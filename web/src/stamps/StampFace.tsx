import type { StampPartsFragment } from '../generated/graphql.ts';
import styles from './StampFace.module.css';

export interface StampFaceProps {
  readonly stamp: StampPartsFragment;
  /** CSS pixels of a side. */
  readonly size: number;
  /** Empty if the text next to it names the stamp. */
  readonly label: string;
}

/** A stamp's picture, or the emoji in its place. A stamp that is no longer in the catalogue shows its key. */
export const StampFace = ({ stamp: { imageUrl, label: text }, size, label }: StampFaceProps) =>
  imageUrl === null ? (
    <span
      className={styles.face}
      style={{ fontSize: size * GLYPH }}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {text}
    </span>
  ) : (
    <img src={imageUrl} alt={label} width={size} height={size} loading="lazy" />
  );

/** An emoji's font size per side of its picture. */
const GLYPH = 0.85;
