import { type Topic, topic } from '../bus/bus.ts';

/**
 * A notification was changed or deleted. The event has only its id. A server that shows the notification reads its
 * current value together with the badge, which says whether everything was read meanwhile.
 */
export type NotificationNews = {
  readonly id: string;
  /** The version that the change made. A server that has sent this one or a later one ignores the event. */
  readonly version: number;
};

/** Published on the user's channel (`userTopic`): the notifications' part of the badge. */
export type NotificationTotalEvent = {
  readonly type: 'badge';
  readonly total: number;
  readonly version: number;
};

export const notificationsTopic = (user: string): Topic<NotificationNews> => topic(`notifications:${user}`);
