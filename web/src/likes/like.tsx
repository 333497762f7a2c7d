import { Heart } from 'lucide-react';
import { LikeMessageDocument, LikersDocument, UnlikeMessageDocument } from '../generated/graphql.ts';
import type { ReactionToggle } from '../reactions/toggle.ts';
import styles from './likes.module.css';

export const like = {
  name: 'like',
  key: 'l',
  texts: {
    key: 'keys.like',
    add: 'like.like',
    remove: 'like.remove',
    count: 'like.count',
    by: 'like.by',
  },
  Icon: Heart,
  iconClass: styles.icon,
  notification: {
    kind: 'LIKE',
    drawing: (
      <path
        d="M8 12.6 4 8.7a2.55 2.55 0 0 1 3.6-3.6l.4.4.4-.4A2.55 2.55 0 0 1 12 8.7z"
        fill="currentcolor"
        stroke="none"
      />
    ),
    className: styles.notification,
  },
  countOf: ({ likeCount }) => likeCount,
  isOn: ({ viewerHasLiked }) => viewerHasLiked,
  patch: (viewerHasLiked) => (message) =>
    message.viewerHasLiked === viewerHasLiked
      ? message
      : { ...message, viewerHasLiked, likeCount: message.likeCount + (viewerHasLiked ? 1 : -1) },
  async send(api, messageId, on) {
    const input = { messageId };
    return on
      ? (await api.mutateUncached(LikeMessageDocument, { input })).likeMessage.message
      : (await api.mutateUncached(UnlikeMessageDocument, { input })).unlikeMessage.message;
  },
  async reactors(api, id) {
    const { node } = await api.queryUncached(LikersDocument, { id });
    if (node?.__typename !== 'Message') return { people: [], more: false };
    const { edges, pageInfo } = node.likers;
    return { people: edges.map((edge) => edge.node), more: pageInfo.hasNextPage };
  },
} as const satisfies ReactionToggle;
