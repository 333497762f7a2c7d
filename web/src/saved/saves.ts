import {
  RemoveSavedDocument,
  SaveDocument,
  type SavedPartsFragment,
  type SaveMessageInput,
} from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import type { SavedMark } from './marks.ts';

export type Saved = Readonly<SavedPartsFragment>;

/** A message, and what the viewer has saved of it. */
export interface SaveTarget {
  /** Null if the viewer may not see the message any more. */
  readonly messageId: string | null;
  readonly mark: SavedMark;
}

type Saves = Pick<Session, 'api' | 'serialize' | 'savedMarks'>;

const nameOf = ({ messageId, mark }: SaveTarget) =>
  mark === null ? { messageId } : { savedMessageId: mark.id };

const keyOf = ({ messageId, mark }: SaveTarget) => `${messageId ?? mark?.id} save`;

/** Saves a message, or changes what was saved. Rejects if the server refuses it. */
export async function save(
  { api, serialize, savedMarks }: Saves,
  target: SaveTarget,
  change: SaveMessageInput,
): Promise<Saved> {
  const input = { ...nameOf(target), ...change };
  const { saveMessage } = await serialize(keyOf(target), () => api.mutateUncached(SaveDocument, { input }));
  const { savedMessage } = saveMessage;
  if (target.messageId !== null) savedMarks.put(target.messageId, savedMessage);
  return savedMessage;
}

export interface Removal {
  /** Whether it was still saved. */
  readonly isDone: boolean;
  /** The change that restores it. Undefined if that is not possible. */
  readonly before: SaveMessageInput | undefined;
}

/** Whether the removal cannot be undone: a message that the viewer may not see cannot be saved. */
export const isRemovedForGood = ({ messageId }: Pick<SaveTarget, 'messageId'>): boolean => messageId === null;

/** Removes what was saved. */
export async function removeSaved(
  { api, serialize, savedMarks }: Saves,
  target: SaveTarget,
): Promise<Removal> {
  const input = nameOf(target);
  const { removeSavedMessage } = await serialize(keyOf(target), () =>
    api.mutateUncached(RemoveSavedDocument, { input }),
  );
  if (target.mark !== null) savedMarks.remove(target.mark);
  const { removed } = removeSavedMessage;
  if (removed === null) return { isDone: false, before: undefined };
  const { id: _id, ...before } = removed;
  return { isDone: true, before: isRemovedForGood(target) ? undefined : before };
}
