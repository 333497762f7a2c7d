import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { threadDraft } from './drafts.ts';

/** Whether the viewer has begun a reply in the thread of this root, and has not sent it. */
export const useHasDraft = (root: string): boolean =>
  useStore(useSession().drafts.all, (drafts) => drafts.has(threadDraft(root)));
