import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { Body } from '../markdown/Body.tsx';
import { nameOf } from '../members/name.ts';
import { CardContext } from '../people/card.ts';
import { othersIn } from '../rooms/title.ts';
import { NoServer } from '../session/NoServer.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import ui from '../ui/ui.module.css';
import { type Kept, type KeptRoom, readKept } from './keptRooms.ts';
import styles from './offline.module.css';
import { useOfflineTexts } from './texts.ts';

export interface OfflineRoomsProps {
  readonly token: string;
  readonly onRetry: (() => void) | undefined;
}

/** The last rooms that the viewer has read, to read again while the server cannot be reached. */
export default function OfflineRooms({ token, onRetry }: OfflineRoomsProps) {
  const { t } = useI18n();
  const texts = useOfflineTexts();
  const kept = useKept(token);
  const [chosen, setChosen] = useState<string>();
  const titleOf = useKeptTitle(kept?.viewer.id);
  const rooms = kept?.rooms ?? [];
  const open = rooms.find(({ room }) => room.id === (chosen ?? roomInAddress())) ?? rooms[0];
  if (kept === undefined || open === undefined) return <NoServer onRetry={onRetry} />;
  return (
    <main className={styles.page}>
      <div className={styles.banner} role="alert">
        <strong>{t('connection.noServer')}</strong>
        <span>{texts.hint}</span>
        <button type="button" className={ui.quiet} onClick={onRetry}>
          {t('app.retry')}
        </button>
      </div>
      <div className={styles.columns}>
        <nav aria-label={texts.rooms} className={styles.rooms}>
          <ul>
            {rooms.map(({ room }) => (
              <li key={room.id}>
                <button
                  type="button"
                  dir="auto"
                  aria-current={room.id === open.room.id || undefined}
                  onClick={() => setChosen(room.id)}
                >
                  {titleOf(room)}
                </button>
              </li>
            ))}
          </ul>
        </nav>
        <CardContext value={NO_CARD}>
          <Messages key={open.room.id} kept={open} name={titleOf(open.room)} viewerId={kept.viewer.id} />
        </CardContext>
      </div>
    </main>
  );
}

/** A profile would have to be read. */
const NO_CARD = () => {};

function roomInAddress(): string | undefined {
  const [, room] = /^\/rooms\/([^/]+)/.exec(location.pathname) ?? [];
  return room === undefined ? undefined : decodeURIComponent(room);
}

function useKept(token: string): Kept | undefined {
  const [kept, setKept] = useState<Kept>();
  useEffect(() => {
    let isOver = false;
    readKept(token).then(
      (found) => isOver || setKept(found),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [token]);
  return kept;
}

function useKeptTitle(viewerId = '') {
  const { t, language } = useI18n();
  return (room: KeptRoom['room']): string => {
    const others = othersIn(room, viewerId);
    if (others === null) return room.name;
    return new Intl.ListFormat(language, { style: 'narrow' }).format(others.map((one) => nameOf(t, one)));
  };
}

interface MessagesProps {
  readonly kept: KeptRoom;
  readonly name: string;
  readonly viewerId: string;
}

function Messages({ kept: { at, messages }, name, viewerId }: MessagesProps) {
  const { t, dateTime } = useI18n();
  const texts = useOfflineTexts();
  return (
    <section aria-label={texts.messages(name)} className={styles.messages}>
      <h1 dir="auto">{name}</h1>
      <p className={ui.soft}>{texts.asOf(dateTime(new Date(at).toISOString()))}</p>
      <ol>
        {messages.map(({ id, author, body, createdAt, mentions, replyCount }) => (
          <li key={id}>
            <Avatar person={author} />
            <div>
              <strong dir="auto">{nameOf(t, author)}</strong>{' '}
              <time dateTime={createdAt} className={ui.soft}>
                {dateTime(createdAt)}
              </time>
              {body === null ? (
                <p className={ui.soft}>{t('message.deleted')}</p>
              ) : (
                <Body body={body} mentions={mentions} viewerId={viewerId} />
              )}
              {replyCount > 0 && <p className={ui.soft}>{t('thread.replies', { count: replyCount })}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
