import { type ComponentType, lazy } from 'react';
import { loadWithRetry, type Script } from '../ui/loadWithRetry.ts';
import { MissingScript } from '../ui/MissingScript.tsx';
import { allEmoji } from './allEmoji.ts';
import type { EmojiPanelProps } from './EmojiPanel.tsx';

export type LazyEmojiPanelProps = Omit<EmojiPanelProps, 'all'>;

/**
 * The panel with its data, as `lazyWithRetry` does it. They are two scripts, each loaded with its own retry: some
 * browsers never request a script again that another one failed to import.
 */
export const lazyEmojiPanel = (missing: ComponentType<LazyEmojiPanelProps> = MissingScript) =>
  lazy(async (): Promise<Script<ComponentType<LazyEmojiPanelProps>>> => {
    try {
      const [{ default: Panel }, all] = await Promise.all([
        loadWithRetry(() => import('./EmojiPanel.tsx')),
        allEmoji(),
      ]);
      return { default: (props) => <Panel {...props} all={all} /> };
    } catch {
      return { default: missing };
    }
  });
