import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { savedPath } from '../shell/paths.ts';
import { scrollAcross } from '../ui/scrollAcross.ts';
import ui from '../ui/ui.module.css';
import styles from './saved.module.css';
import { cleanTag } from './tagNames.ts';
import { useSavedTexts } from './texts.ts';
import type { ReadTags } from './useOverview.ts';

export interface SideTagsProps extends ReadTags {
  /** The name of the one whose list is open. */
  readonly open: string | undefined;
  /** The query of each link. */
  readonly query: string;
  readonly onPrefix: (prefix: string) => void;
  /** Reads a further page. */
  readonly onMore: () => void;
  /** Whether that is going on. */
  readonly isReadingMore: boolean;
}

/** The viewer's tags with their counts: those that begin with what is typed, a page at first. */
export function SideTags({ tags, hasMore, open, query, onPrefix, onMore, isReadingMore }: SideTagsProps) {
  const texts = useSavedTexts();
  const { number } = useI18n();
  const list = useRef<HTMLUListElement>(null);
  /** How many there were when more were asked for. Undefined: they were not. */
  const before = useRef<number>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // The keyboard goes on with the first of the new ones: the button moves away, or is gone. Not if it went elsewhere
  // meanwhile.
  useEffect(() => {
    if (isReadingMore || before.current === undefined) return;
    const first = list.current?.querySelectorAll('a')[before.current];
    before.current = undefined;
    const { activeElement } = document;
    if (activeElement === button.current || activeElement === document.body) first?.focus();
  }, [isReadingMore]);
  const hasTags = tags.length > 0;
  // On a phone the tags are one line.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when another tag is open, or the tags are read.
  useLayoutEffect(() => scrollAcross(list.current), [open, hasTags]);
  return (
    <div className={styles.tags}>
      <h2>{texts.tags}</h2>
      <input
        className={ui.input}
        type="search"
        aria-label={texts.moreTags}
        placeholder={texts.moreTags}
        onChange={({ target }) => {
          before.current = undefined;
          // A space at the end counts: `a ` is the beginning of `a b`, not of `ab`.
          onPrefix(cleanTag(target.value).trimStart());
        }}
      />
      <ul className="plain" ref={list}>
        {tags.map(({ id, name, count }) => (
          <li key={id}>
            <Link
              href={`${savedPath({ tag: name })}${query}`}
              className={styles.link}
              aria-current={open === name ? 'page' : undefined}
            >
              <span dir="auto">{name}</span>
              <span className={styles.count}>{number(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && (
        <button
          type="button"
          ref={button}
          className={ui.quiet}
          onClick={() => {
            before.current = tags.length;
            onMore();
          }}
        >
          {texts.furtherTags}
        </button>
      )}
    </div>
  );
}
