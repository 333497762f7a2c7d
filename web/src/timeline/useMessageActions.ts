import { use, useMemo } from 'react';
import { useLocation } from 'wouter';
import { editDraft } from '../composer/drafts.ts';
import {
  AddStampDocument,
  DeleteMessageDocument,
  EditMessageDocument,
  RemoveStampDocument,
  type StampPartsFragment,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { permissionsOf } from '../members/permissions.ts';
import { REACTIONS_CLEARED } from '../reactions/ownReactions.ts';
import type { ReactionToggle } from '../reactions/toggle.ts';
import { useSession } from '../session/session.ts';
import { messagePath, threadPath } from '../shell/paths.ts';
import { ownStampId } from '../stamps/findStamps.ts';
import { withOwnStamp, withoutOwnStamp } from '../stamps/optimistic.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import { useCopy } from '../ui/useCopy.ts';
import { AnswerContext } from './AnswerContext.ts';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';

/** The viewer's actions on a message. Each is shown at once, and corrected if the server refuses it. */
export interface MessageActions {
  readonly canEdit: boolean;
  readonly canDelete: boolean;
  /** Opens the message's thread. In an open thread, the composer replies to the message. */
  reply(): void;
  /** Goes to the reply that the message answers. */
  showAnswered(): void;
  /** Resolves with false if the server refused it. */
  edit(body: string): Promise<boolean>;
  remove(): void;
  toggleStamp(stamp: StampPartsFragment): void;
  toggle(reaction: ReactionToggle): void;
  markUnread(): void;
  copyLink(): void;
}

export function useMessageActions(message: Message): MessageActions {
  const { t } = useI18n();
  const { api, viewer, drafts, stamps: catalogue, serialize } = useSession();
  const { store, readTracker, roomId, room, role } = useRoom();
  // No actions are offered until the room has been read.
  const canDeleteOthers = permissionsOf(room?.visibility ?? 'DIRECT', role).canDeleteMessages;
  const [, navigate] = useLocation();
  const answer = use(AnswerContext);
  const attempt = useAttempt();
  const copy = useCopy();

  return useMemo(() => {
    const { id, author, body, root, inReplyTo } = message;
    const isOwn = author.id === viewer.id;
    const rootId = root?.id ?? id;

    async function toggleStamp(stamp: StampPartsFragment): Promise<void> {
      const has = message.stampCounts.some(
        (count) => count.stamp.key === stamp.key && count.viewerHasStamped,
      );
      const inOrder = (action: () => Promise<Message>) => serialize(`${id} ${stamp.key}`, action);
      if (has) {
        await store.change(id, withoutOwnStamp(stamp.key), () =>
          inOrder(async () => {
            const own = { messageId: id, key: stamp.key, viewerId: viewer.id };
            const messageStampId = await ownStampId(api, own);
            return (await api.mutateUncached(RemoveStampDocument, { input: { messageStampId } })).removeStamp
              .message;
          }),
        );
      } else {
        await store.change(id, withOwnStamp(stamp, catalogue), () =>
          inOrder(async () => {
            const input = { messageId: id, stamp: stamp.key };
            return (await api.mutateUncached(AddStampDocument, { input })).addStamp.messageStamp.message;
          }),
        );
      }
    }

    async function remove(): Promise<void> {
      // A viewer who deletes the message does not need an edit of it any more.
      const draft = drafts.get(editDraft(id));
      drafts.set(editDraft(id), '');
      const isRemoved = await attempt(() =>
        store.change(
          id,
          (now) => ({
            ...now,
            body: null,
            mentions: [],
            ...REACTIONS_CLEARED,
          }),
          async () =>
            (await api.mutateUncached(DeleteMessageDocument, { input: { messageId: id } })).deleteMessage
              .message,
        ),
      );
      if (!isRemoved) drafts.set(editDraft(id), draft);
    }

    function toggle({ name, isOn, patch, send }: ReactionToggle): Promise<Message> {
      const on = !isOn(message);
      return store.change(id, patch(on), () => serialize(`${id} ${name}`, () => send(api, id, on)));
    }

    return {
      canEdit: isOwn && body !== null,
      canDelete: body !== null && (isOwn || canDeleteOthers),
      reply: () => (answer === undefined ? navigate(threadPath(roomId, rootId)) : answer(message)),
      showAnswered: () => void store.openThread(rootId, inReplyTo?.id),
      edit: (text) =>
        attempt(() =>
          store.change(
            id,
            (now) => ({ ...now, body: text, editedAt: new Date().toISOString() }),
            () =>
              // Of two concurrent edits, the server refuses the later one.
              serialize(`${id} edit`, async () => {
                const input = { messageId: id, body: text };
                return (await api.mutateUncached(EditMessageDocument, { input })).editMessage.message;
              }),
          ),
        ),
      remove: () => void remove(),
      toggleStamp: (stamp) => void attempt(() => toggleStamp(stamp)),
      toggle: (reaction) => void attempt(() => toggle(reaction)),
      markUnread() {
        const from = store.get().entities.server.get(rootId) ?? message;
        const save = () => serialize(`${roomId} unread`, () => readTracker.markUnread(from));
        void attempt(() => store.moveUnreadLine(rootId, save));
      },
      copyLink: () =>
        void copy(`${location.origin}${messagePath(roomId, id)}`, t('room.copied'), t('app.copyRefused')),
    };
  }, [
    message,
    api,
    viewer,
    drafts,
    catalogue,
    serialize,
    store,
    readTracker,
    roomId,
    canDeleteOthers,
    navigate,
    answer,
    attempt,
    copy,
    t,
  ]);
}
