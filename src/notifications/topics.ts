import { type Topic, topic } from '../bus/bus.ts';

/**
 * A notification has changed, or is no more. It says which, not how: whoever shows it looks at it as it is
 * by then, together with the badge, which says whether everything was read meanwhile.
 */
export type NotificationNews = {
  readonly id: string;
  /** The change's own; whoever has shown this one or a later one has nothing to do. */
  readonly rev: number;
};

/** Published on the user's channel (`userTopic`): the notifications' part of the badge. */
export type NotificationTotalEvent = { readonly type: 'badge'; readonly total: number; readonly rev: number };

export const notificationsTopic = (user: string): Topic<NotificationNews> => topic(`notifications:${user}`);
