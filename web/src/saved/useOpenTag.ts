import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { TagAgainDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { isSameTag, tagNamed } from './tagNames.ts';
import type { Overview } from './useOverview.ts';

export interface OpenTagOptions {
  /** As in the address. Undefined: another list is open. */
  readonly name: string | undefined;
  /** The tags are looked at again whenever this changes: it is read when something has changed on any device. */
  readonly overview: Overview | undefined;
  /** Called with the new name after the tag was renamed, on any device. */
  readonly onRenamed: (name: string) => void;
}

interface Known {
  readonly address: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Follows the tag whose list is open by its id, which renaming does not change. `isMissing`: the viewer has no such tag.
 * `isGone`: they had it while this list was open, so it was deleted or merged, or its last message was removed.
 */
export function useOpenTag({ name, overview, onRenamed }: OpenTagOptions) {
  const { api } = useSession();
  const known = useRef<Known>(undefined);
  const [missing, setMissing] = useState<{ readonly address: string; readonly isGone: boolean }>();
  const renamed = useEffectEvent(onRenamed);
  useEffect(() => {
    if (name === undefined || overview === undefined) return;
    let isOver = false;
    const follow = async () => {
      const before = known.current?.address === name ? known.current : undefined;
      const node = before && (await api.queryUncached(TagAgainDocument, { id: before.id })).node;
      const same = node?.__typename === 'SavedTag' ? node : undefined;
      // It may be there again: the undo of a removal makes another tag with the name.
      const tag =
        same ?? overview.tags.find((one) => isSameTag(one.name, name)) ?? (await tagNamed(api, name));
      if (isOver) return;
      if (tag === undefined) return setMissing({ address: name, isGone: before !== undefined });
      known.current = { address: name, id: tag.id, name: tag.name };
      setMissing(undefined);
      if (before !== undefined && tag.name !== before.name) renamed(tag.name);
    };
    // What was known before stays. The list says why nothing can be read.
    follow().catch(() => {});
    return () => {
      isOver = true;
    };
  }, [api, name, overview]);
  const isMissing = missing !== undefined && missing.address === name;
  return { isMissing, isGone: isMissing && missing.isGone };
}
