import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { threadPath } from '../shell/paths.ts';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';

/** Below a root: who replied, how often, and when last. */
export function ThreadSummary({ message }: { readonly message: Message }) {
  const { t, ago } = useI18n();
  const { roomId } = useRoom();
  return (
    <Link href={threadPath(roomId, message.id)} className={styles.thread}>
      <span className={styles.faces}>
        {message.participants.map((person) => (
          <Avatar key={person.id} person={person} size={1.5} />
        ))}
      </span>
      <strong>{t('thread.replies', { count: message.replyCount })}</strong>
      {message.lastReplyAt !== null && <span>{t('thread.last', { time: ago(message.lastReplyAt) })}</span>}
    </Link>
  );
}
