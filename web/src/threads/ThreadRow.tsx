import { memo } from 'react';
import { Link } from 'wouter';
import { DraftMark } from '../composer/DraftMark.tsx';
import { useHasDraft } from '../composer/useHasDraft.ts';
import { useI18n } from '../i18n/i18n.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { AvatarInLink } from '../people/PersonButton.tsx';
import { useTitle } from '../rooms/title.ts';
import { messagePath, threadPath } from '../shell/paths.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import rows from '../ui/rows.module.css';
import type { FollowedThread } from './listing.ts';
import styles from './ThreadsPage.module.css';

/** A thread, which links to its newest reply. */
export const ThreadRow = memo(function ThreadRow({ thread }: { readonly thread: FollowedThread }) {
  const { t, ago, dateTime } = useI18n();
  const titleOf = useTitle();
  const { root, newest, hasUnread } = thread;
  const { id, room, author, replyCount, lastReplyAt } = root;
  const hasDraft = useHasDraft(id);
  return (
    <Link
      href={newest === undefined ? threadPath(room.id, id) : messagePath(room.id, newest.id)}
      className={`${rows.row} ${styles.row} ${hasUnread ? styles.unread : ''}`}
    >
      <AvatarInLink person={author} />
      <span className={rows.about}>
        <span className={rows.who}>
          <strong dir="auto">{author.displayName}</strong>
          <span dir="auto">{titleOf(room)}</span>
          {hasDraft && <DraftMark />}
        </span>
        <Text of={root} />
        {newest !== undefined && (
          <span className={styles.reply}>
            <AvatarInLink person={newest.author} size={1.25} />
            <span className={rows.about}>
              <span className={`${rows.who} ${styles.replyWho}`}>
                <strong dir="auto">{newest.author.displayName}</strong>
                {lastReplyAt !== null && (
                  <time dateTime={lastReplyAt} title={dateTime(lastReplyAt)}>
                    {ago(lastReplyAt)}
                  </time>
                )}
                <span>{t('thread.replies', { count: replyCount })}</span>
              </span>
              <Text of={newest} />
            </span>
          </span>
        )}
      </span>
      <span className={hasUnread ? styles.dot : undefined}>
        {hasUnread && <span className="visually-hidden">{t('threads.unread')}</span>}
      </span>
    </Link>
  );
});

function Text({ of: { body } }: { readonly of: { readonly body: string | null } }) {
  const { t } = useI18n();
  return (
    <span className={`${rows.text} ${styles.excerpt}`} dir="auto">
      {body === null ? (
        <em>{t('message.deleted')}</em>
      ) : (
        <ErrorBoundary key={body} fallback={body}>
          <Excerpt body={body} />
        </ErrorBoundary>
      )}
    </span>
  );
}

const Excerpt = ({ body }: { readonly body: string }) => excerptOf(body);
