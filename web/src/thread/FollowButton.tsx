import { Bell, BellRing } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import type { Message } from '../timeline/message.ts';
import styles from './FollowButton.module.css';
import { useFollowing } from './useFollowing.ts';

export interface FollowButtonProps {
  readonly root: string;
  readonly replies: readonly Message[];
}

/** Shows whether the viewer follows the thread. A press follows or unfollows it. */
export function FollowButton({ root, replies }: FollowButtonProps) {
  const { t } = useI18n();
  const { isFollowing, toggle } = useFollowing(root, replies);
  if (isFollowing === undefined) return null;
  const Icon = isFollowing ? BellRing : Bell;
  return (
    <button
      type="button"
      className={styles.follow}
      title={t('thread.followHint')}
      aria-pressed={isFollowing}
      aria-label={t('thread.follow')}
      onClick={toggle}
    >
      <Icon aria-hidden="true" />
      <span aria-hidden="true">{t(isFollowing ? 'thread.following' : 'thread.follow')}</span>
    </button>
  );
}
