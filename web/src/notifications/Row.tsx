import { type MouseEvent, memo } from 'react';
import { Link, useLocation } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { AvatarInLink } from '../people/PersonButton.tsx';
import { useTitle } from '../rooms/title.ts';
import { useSession } from '../session/session.ts';
import { stampLabel } from '../stamps/labels.ts';
import { StampFace } from '../stamps/StampFace.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { excerptOf } from './excerpt.ts';
import { KindIcon } from './KindIcon.tsx';
import type { Notification } from './listing.ts';
import styles from './Row.module.css';
import { type Target, targetOf } from './target.ts';

export interface RowProps {
  readonly notification: Notification;
  readonly isFresh: boolean;
  /** Called when the viewer follows the link. */
  readonly onOpen: (notification: Notification) => void;
}

/** A notification that links to its message, or to its room. */
export const Row = memo(function Row({ notification, isFresh, onOpen }: RowProps) {
  const target = targetOf(notification);
  const open = useOpen(target, () => onOpen(notification));
  const className = `${styles.row} ${isFresh ? styles.fresh : ''}`;
  const about = <About notification={notification} isFresh={isFresh} />;
  return target === undefined ? (
    <div className={className} data-notification={notification.id} tabIndex={-1}>
      {about}
    </div>
  ) : (
    <Link href={target.path} className={className} data-notification={notification.id} onClick={open}>
      {about}
    </Link>
  );
});

function About({ notification, isFresh }: Pick<RowProps, 'notification' | 'isFresh'>) {
  const i18n = useI18n();
  const { t, ago, dateTime } = i18n;
  const titleOf = useTitle();
  const { kind, text, actors, stamps, room, message, latestReply, updatedAt } = notification;
  const said = kind === 'REPLY' ? latestReply : message;
  // Why the viewer wanted to be reminded.
  const note = kind === 'REMINDER' ? message?.viewerSaved?.note : undefined;
  return (
    <>
      <span className={styles.faces} data-faces={actors.length}>
        {actors.map((person) => (
          <AvatarInLink key={person.id} person={person} size={actors.length > 1 ? 1.7 : 2.5} />
        ))}
        <KindIcon kind={room === null ? 'WITHHELD' : kind} />
      </span>
      <span className={styles.about}>
        <span className={styles.text}>
          {text}
          {stamps.map((stamp) => (
            <span key={stamp.key} className={styles.stamp}>
              <StampFace stamp={stamp} size={18} label={stampLabel(stamp, i18n)} />
            </span>
          ))}
        </span>
        {note != null && (
          <span className={styles.note} dir="auto">
            {note}
          </span>
        )}
        {said != null && (
          <span className={styles.excerpt} dir="auto">
            {said.body === null ? <em>{t('message.deleted')}</em> : <Excerpt body={said.body} />}
          </span>
        )}
        <span className={styles.where}>
          {room !== null && <span dir="auto">{titleOf(room)}</span>}
          <time dateTime={updatedAt} title={dateTime(updatedAt)}>
            {ago(updatedAt)}
          </time>
        </span>
      </span>
      {isFresh && (
        <span className={styles.dot}>
          <span className="visually-hidden">{t('notifications.fresh')}</span>
        </span>
      )}
    </>
  );
}

const Excerpt = ({ body }: { readonly body: string }) => (
  <ErrorBoundary key={body} fallback={body}>
    <Plain body={body} />
  </ErrorBoundary>
);

const Plain = ({ body }: { readonly body: string }) => excerptOf(body);

/** The router opens the path. If it is already open, this only moves the timeline or thread to the message. */
function useOpen(target: Target | undefined, onOpen: () => void) {
  const { openRoom } = useSession();
  const [path] = useLocation();
  return (event: MouseEvent<HTMLAnchorElement>) => {
    if (target === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    onOpen();
    const open = openRoom.get();
    if (open?.roomId !== target.roomId) return;
    const { store } = open;
    if (!target.inThread) store.closeThread();
    if (path !== target.path || target.root === undefined) return;
    event.preventDefault();
    void (target.inThread ? store.openThread(target.root, target.reply) : store.toMessage(target.root));
  };
}
