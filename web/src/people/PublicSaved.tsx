import { Globe } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { asApiError } from '../api/errors.ts';
import {
  ProfileSavedDocument,
  ProfileTagsDocument,
  type PublicSavedPartsFragment,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { useTitle } from '../rooms/title.ts';
import { useSession } from '../session/session.ts';
import { messagePath } from '../shell/paths.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import ui from '../ui/ui.module.css';
import { PersonButton } from './PersonButton.tsx';
import styles from './PublicSaved.module.css';
import { usePeopleTexts } from './texts.ts';

type Entry = Readonly<PublicSavedPartsFragment>;

interface Shown {
  readonly entries: readonly Entry[];
  /** Null after the last page. */
  readonly after: string | null;
}

interface Tag {
  readonly name: string;
  readonly count: number;
}

export interface PublicSavedProps {
  readonly userId: string;
  readonly onClose: () => void;
}

/** A page may be empty although there are more. This many are read before the viewer is asked to go on. */
const PAGES = 5;

/** What a user has saved publicly, as far as the viewer may see it, with the tags of it. Nothing if there is none. */
export function PublicSaved({ userId, onClose }: PublicSavedProps) {
  const s = usePeopleTexts();
  const tags = useTags(userId);
  const [tag, setTag] = useState<string>();
  const { shown, problem, isReading, more } = useEntries(userId, tag);
  if (shown === undefined) return problem === undefined ? null : <p className={ui.error}>{problem}</p>;
  const { entries, after } = shown;
  if (entries.length === 0 && after === null && tag === undefined) return null;
  return (
    <section className={styles.saved} aria-label={s.savedPublicly}>
      <h3>
        <Globe aria-hidden="true" /> {s.savedPublicly}
      </h3>
      {tags.length > 0 && (
        <div className={styles.tags}>
          {tags.map(({ name, count }) => (
            <button
              key={name}
              type="button"
              className={styles.tag}
              aria-pressed={name === tag}
              onClick={() => setTag(name === tag ? undefined : name)}
            >
              <span dir="auto">{name}</span> <span>{count}</span>
            </button>
          ))}
        </div>
      )}
      <ul className={`plain ${styles.entries}`}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <SavedEntry entry={entry} onClose={onClose} />
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p className={ui.error} role="alert">
          {problem}
        </p>
      )}
      {after !== null && (
        <BusyButton className={ui.quiet} isBusy={isReading} onClick={more}>
          {s.moreSaved}
        </BusyButton>
      )}
    </section>
  );
}

function SavedEntry({ entry, onClose }: { readonly entry: Entry } & Pick<PublicSavedProps, 'onClose'>) {
  const { t, ago, dateTime } = useI18n();
  const titleOf = useTitle();
  const { message, note } = entry;
  if (message === null) return null;
  const text = message.body ?? t('message.deleted');
  return (
    <>
      <p className={styles.about}>
        <PersonButton userId={message.author.id} name={nameOf(t, message.author)} />
        <span dir="auto">{titleOf(message.room)}</span>
        <time dateTime={message.createdAt} title={dateTime(message.createdAt)}>
          {ago(message.createdAt)}
        </time>
      </p>
      <Link
        href={messagePath(message.room.id, message.id)}
        className={styles.text}
        dir="auto"
        onClick={onClose}
      >
        <ErrorBoundary key={text} fallback={text}>
          <Excerpt body={text} />
        </ErrorBoundary>
      </Link>
      {note !== null && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
    </>
  );
}

const Excerpt = ({ body }: { readonly body: string }) => excerptOf(body);

/** The tags of what a user has saved publicly. Without them the list is complete, too. */
function useTags(userId: string): readonly Tag[] {
  const { api } = useSession();
  const [tags, setTags] = useState<readonly Tag[]>([]);
  useEffect(() => {
    let isOver = false;
    api.queryUncached(ProfileTagsDocument, { id: userId }).then(
      ({ node }) => {
        if (!isOver && node?.__typename === 'User') setTags(node.savedTags.edges.map((edge) => edge.node));
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, userId]);
  return tags;
}

/** The pages that were read so far, of all or with a tag. */
function useEntries(userId: string, tag: string | undefined) {
  const { api } = useSession();
  const { problem: textOf } = useI18n();
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<string>();
  const [isReading, setIsReading] = useState(false);
  const say = useRef(textOf);
  say.current = textOf;
  const reading = useRef(0);

  const read = useCallback(
    async (from: Shown) => {
      reading.current++;
      const own = reading.current;
      setIsReading(true);
      setProblem(undefined);
      try {
        const next = await readSome(from, async (after) => {
          const { node } = await api.queryUncached(ProfileSavedDocument, {
            id: userId,
            tag: tag ?? null,
            after,
          });
          return node?.__typename === 'User' ? node.savedMessages : NOTHING;
        });
        if (own === reading.current) setShown(next);
      } catch (error) {
        if (own === reading.current) setProblem(say.current(asApiError(error)));
      }
      if (own === reading.current) setIsReading(false);
    },
    [api, userId, tag],
  );
  useEffect(() => {
    void read({ entries: [], after: null });
    return () => {
      reading.current++;
    };
  }, [read]);
  const more = () => {
    if (shown !== undefined) void read(shown);
  };
  return { shown, problem, isReading, more };
}

interface Page {
  readonly edges: ReadonlyArray<{ readonly node: Entry }>;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
const NOTHING: Page = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Reads on until there is something new, PAGES pages at most. */
async function readSome(
  { entries, after: from }: Shown,
  readPage: (after: string | null) => Promise<Page>,
): Promise<Shown> {
  let after = from;
  for (let pages = 1; ; pages++) {
    const { edges, pageInfo } = await readPage(after);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    const found = edges.map(({ node }) => node).filter(({ message }) => message !== null);
    if (found.length === 0 && after !== null && pages < PAGES) continue;
    const all = new Map([...entries, ...found].map((entry) => [entry.id, entry]));
    return { entries: [...all.values()], after };
  }
}
