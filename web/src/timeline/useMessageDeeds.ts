import { useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  AddStampDocument,
  DeleteMessageDocument,
  EditMessageDocument,
  LikeMessageDocument,
  RemoveStampDocument,
  type StampPartsFragment,
  UnlikeMessageDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { withLike } from '../likes/optimistic.ts';
import { powersOf } from '../members/powers.ts';
import { useSession } from '../session/session.ts';
import { messagePath, threadPath } from '../shell/paths.ts';
import { withOwnStamp, withoutOwnStamp } from '../stamps/optimistic.ts';
import { ownStampId } from '../stamps/ownStamp.ts';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';

/** What the viewer can do with a message. Each shows at once, and is put right where the server disagrees. */
export interface MessageDeeds {
  readonly canEdit: boolean;
  readonly canDelete: boolean;
  openThread(): void;
  /** False where the server refused it. */
  edit(body: string): Promise<boolean>;
  remove(): void;
  toggleStamp(stamp: StampPartsFragment): void;
  toggleLike(): void;
  markUnread(): void;
  copyLink(): void;
}

export function useMessageDeeds(message: Message): MessageDeeds {
  const { t } = useI18n();
  const { api, viewer, stamps: catalogue, inTurn } = useSession();
  const { log, reader, roomId, room, role } = useRoom();
  // Until it is known what room it is, nothing is offered.
  const canDeleteOthers = powersOf(room?.visibility ?? 'DIRECT', role).deleteMessages;
  const [, navigate] = useLocation();
  const attempt = useAttempt();
  const toast = useToast();

  return useMemo(() => {
    const { id, author, body, root } = message;
    const isOwn = author.id === viewer.id;
    const rootId = root?.id ?? id;

    async function toggle(stamp: StampPartsFragment): Promise<void> {
      const has = message.stampCounts.some(
        (count) => count.stamp.key === stamp.key && count.viewerHasStamped,
      );
      const asked = (deed: () => Promise<Message>) => inTurn(`${id} ${stamp.key}`, deed);
      if (has) {
        await log.change(id, withoutOwnStamp(stamp.key), () =>
          asked(async () => {
            const own = { messageId: id, key: stamp.key, viewerId: viewer.id };
            const messageStampId = await ownStampId(api, own);
            return (await api.fetch(RemoveStampDocument, { input: { messageStampId } })).removeStamp.message;
          }),
        );
      } else {
        await log.change(id, withOwnStamp(stamp, catalogue), () =>
          asked(async () => {
            const input = { messageId: id, stamp: stamp.key };
            return (await api.fetch(AddStampDocument, { input })).addStamp.messageStamp.message;
          }),
        );
      }
    }

    const input = { messageId: id };
    const toggleLike = () => {
      const likes = !message.viewerHasLiked;
      return log.change(id, withLike(likes), () =>
        inTurn(`${id} like`, async () =>
          likes
            ? (await api.fetch(LikeMessageDocument, { input })).likeMessage.message
            : (await api.fetch(UnlikeMessageDocument, { input })).unlikeMessage.message,
        ),
      );
    };

    return {
      canEdit: isOwn && body !== null,
      canDelete: body !== null && (isOwn || canDeleteOthers),
      openThread: () => navigate(threadPath(roomId, rootId)),
      edit: (text) =>
        attempt(() =>
          log.change(
            id,
            (now) => ({ ...now, body: text, editedAt: new Date().toISOString() }),
            () =>
              // Of two that race, the server refuses the later one.
              inTurn(`${id} edit`, async () => {
                const input = { messageId: id, body: text };
                return (await api.fetch(EditMessageDocument, { input })).editMessage.message;
              }),
          ),
        ),
      remove: () =>
        void attempt(() =>
          log.change(
            id,
            (now) => ({
              ...now,
              body: null,
              stampCounts: [],
              mentions: [],
              likeCount: 0,
              viewerHasLiked: false,
            }),
            async () =>
              (await api.fetch(DeleteMessageDocument, { input: { messageId: id } })).deleteMessage.message,
          ),
        ),
      toggleStamp: (stamp) => void attempt(() => toggle(stamp)),
      toggleLike: () => void attempt(toggleLike),
      markUnread() {
        const from = log.get().entities.told.get(rootId) ?? message;
        log.setFirstUnread(rootId);
        void attempt(() => reader.markUnread(from));
      },
      copyLink: () =>
        void attempt(async () => {
          await navigator.clipboard.writeText(`${location.origin}${messagePath(roomId, id)}`);
          toast(t('room.copied'));
        }),
    };
  }, [
    message,
    api,
    viewer,
    catalogue,
    inTurn,
    log,
    reader,
    roomId,
    canDeleteOthers,
    navigate,
    attempt,
    toast,
    t,
  ]);
}
