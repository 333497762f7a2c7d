import { Hash, Lock } from 'lucide-react';
import type { ComponentType, CSSProperties } from 'react';
import type { RoomPartsFragment } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { Avatar, type AvatarProps } from '../ui/Avatar.tsx';
import styles from './RoomFace.module.css';
import { othersIn } from './title.ts';

export interface RoomFaceProps {
  readonly room: Pick<RoomPartsFragment, 'visibility' | 'people'>;
  /** The size of avatars, in rem. */
  readonly size?: number;
  /** What an avatar is shown with. */
  readonly face?: ComponentType<AvatarProps>;
}

/** The size of each of two avatars, relative to a single one. */
const HALF = 0.72;

/** A room's icon, or the avatars of the people in a direct room. */
export function RoomFace({ room, size = 1.4, face: Face = Avatar }: RoomFaceProps) {
  const { viewer } = useSession();
  const others = othersIn(room, viewer.id);
  if (others === null)
    return room.visibility === 'PRIVATE' ? <Lock aria-hidden="true" /> : <Hash aria-hidden="true" />;
  const [first, second] = others;
  if (first === undefined) return null;
  if (second === undefined) return <Face person={first} size={size} />;
  return (
    <span className={styles.faces} style={{ '--size': `${size}rem` } as CSSProperties}>
      <Face person={second} size={size * HALF} />
      <Face person={first} size={size * HALF} />
    </span>
  );
}
