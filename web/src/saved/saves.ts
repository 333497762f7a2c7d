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

/** Removes what was saved. Resolves to the change that restores it; undefined if that is not possible. */
export async function removeSaved(
  { api, serialize, savedMarks }: Saves,
  target: SaveTarget,
): Promise<SaveMessageInput | undefined> {
  const input = nameOf(target);
  const { removeSavedMessage } = await serialize(keyOf(target), () =>
    api.mutateUncached(RemoveSavedDocument, { input }),
  );
  if (target.mark !== null) savedMarks.remove(target.mark);
  const { removed } = removeSavedMessage;
  const { messageId } = target;
  if (removed === null || messageId === null) return undefined;
  const { id: _id, ...before } = removed;
  return before;
}
