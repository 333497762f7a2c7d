import { useState } from 'react';
import { FirstSinceDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { DateDialog, daysAgo } from './DateDialog.tsx';
import { useDateTexts } from './texts.ts';

/** The dialog that goes to the first message of a day, or to the next one if there is none on that day. */
export default function JumpToDate({ onClose }: { readonly onClose: () => void }) {
  const texts = useDateTexts();
  const { api } = useSession();
  const { store, roomId } = useRoom();
  const [shortcuts] = useState(() => [
    [texts.weekAgo, daysAgo({ days: 7 })] as const,
    [texts.monthAgo, daysAgo({ months: 1 })] as const,
    [texts.beginning, new Date(0)] as const,
  ]);

  async function jump(from: Date) {
    const { room } = await api.queryUncached(FirstSinceDocument, { id: roomId, from: from.toISOString() });
    const first = room?.messages.edges[0]?.node.id;
    // Without a message since then, the newest is the nearest.
    await (first === undefined ? store.toNewest() : store.toMessage(first, 'date'));
  }
  return <DateDialog shortcuts={shortcuts} onClose={onClose} onJump={jump} />;
}
