import { like } from '../likes/like.tsx';
import type { NotificationLook, ReactionToggle } from './toggle.ts';

/** The reactions with a button and a key of their own. A new one has its line here. */
const toggles = [like] as const;

export const TOGGLES: readonly ReactionToggle[] = toggles;

type ToggleNotificationKind = (typeof toggles)[number]['notification']['kind'];

const notifications = toggles.map(({ notification }) => [notification.kind, notification]);

export const TOGGLE_NOTIFICATIONS: Readonly<Record<ToggleNotificationKind, NotificationLook>> =
  Object.fromEntries(notifications);
