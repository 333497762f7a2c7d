import { Link } from 'wouter';
import { DraftMark } from '../composer/DraftMark.tsx';
import { useHasDraft } from '../composer/useHasDraft.ts';
import { useI18n } from '../i18n/i18n.ts';
import { AvatarInLink } from '../people/PersonButton.tsx';
import { threadPath } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';

/** Below a root: who replied, how often, and when last, and that the viewer has begun a reply. */
export function ThreadSummary({ message }: { readonly message: Message }) {
  const { t, ago } = useI18n();
  const { roomId, store } = useRoom();
  const isOpen = useStore(store, ({ thread }) => thread?.root === message.id);
  // What is being written in the open thread needs no mark.
  const hasDraft = useHasDraft(message.id) && !isOpen && message.body !== null;
  if (message.replyCount === 0 && !hasDraft) return null;
  return (
    <Link href={threadPath(roomId, message.id)} className={styles.thread}>
      {message.participants.length > 0 && (
        <span className={styles.faces}>
          {message.participants.map((person) => (
            <AvatarInLink key={person.id} person={person} size={1.5} />
          ))}
        </span>
      )}
      {message.replyCount > 0 && <strong>{t('thread.replies', { count: message.replyCount })}</strong>}
      {message.lastReplyAt !== null && <span>{t('thread.last', { time: ago(message.lastReplyAt) })}</span>}
      {hasDraft && <DraftMark />}
    </Link>
  );
}
