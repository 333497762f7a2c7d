import { Menu } from '@base-ui/react/menu';
import { FolderInput, Star, StarOff } from 'lucide-react';
import { ArrangeRoomDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { useArrangeTexts } from './arrangeTexts.ts';
import type { MemberRoom } from './useCachedRoom.ts';

export interface ArrangeItemsProps {
  readonly room: MemberRoom;
  /** Asks for the section. */
  readonly onMove: () => void;
}

/** Items of a room's menu: where the viewer has the room in their list. */
export function ArrangeItems({ room, onMove }: ArrangeItemsProps) {
  const s = useArrangeTexts();
  const { api } = useSession();
  const attempt = useAttempt();
  const isStarred = room.viewerMembership?.starred ?? false;
  const star = () => api.mutate(ArrangeRoomDocument, { input: { roomId: room.id, starred: !isStarred } });
  return (
    <>
      <Menu.Item className={ui.item} onClick={() => void attempt(star)}>
        {isStarred ? <StarOff aria-hidden="true" /> : <Star aria-hidden="true" />}
        {isStarred ? s.unstar : s.star}
      </Menu.Item>
      <Menu.Item className={ui.item} onClick={onMove}>
        <FolderInput aria-hidden="true" /> {s.move}
      </Menu.Item>
    </>
  );
}
