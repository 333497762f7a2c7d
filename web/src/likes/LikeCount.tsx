import { Heart } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LikersDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import styles from '../stamps/stamps.module.css';
import type { Message, Person } from '../timeline/message.ts';
import type { MessageActions } from '../timeline/useMessageActions.ts';
import { Tip } from '../ui/Tip.tsx';

export interface LikeCountProps {
  readonly message: Message;
  readonly actions: MessageActions;
}

/** Shows how many users like a message, and who. A press adds or removes the viewer's like. */
export function LikeCount({ message: { id, likeCount, viewerHasLiked, version }, actions }: LikeCountProps) {
  const { t } = useI18n();
  return (
    <Tip content={<Likers messageId={id} version={version} />}>
      <button
        type="button"
        className={styles.count}
        aria-pressed={viewerHasLiked}
        aria-label={t('like.count', { count: likeCount, own: viewerHasLiked ? 'yes' : 'no' })}
        onClick={actions.toggleLike}
      >
        <Heart className={styles.heart} aria-hidden="true" />
        <span>{likeCount}</span>
      </button>
    </Tip>
  );
}

interface LikersProps {
  readonly messageId: string;
  readonly version: number;
}

/** The names of the latest users who liked the message, at most 20. */
function Likers({ messageId, version }: LikersProps) {
  const { t } = useI18n();
  const { api } = useSession();
  const [likers, setLikers] = useState<{ readonly people: readonly Person[]; readonly more: boolean }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the message has changed.
  useEffect(() => {
    let isOver = false;
    api.queryUncached(LikersDocument, { id: messageId }).then(
      ({ node }) => {
        if (isOver || node?.__typename !== 'Message') return;
        const { edges, pageInfo } = node.likers;
        setLikers({ people: edges.map((edge) => edge.node), more: pageInfo.hasNextPage });
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, messageId, version]);
  const names = likers?.people.map(({ displayName }) => displayName).join(', ') ?? '…';
  return t('like.by', { names: likers?.more === true ? `${names}, …` : names });
}
