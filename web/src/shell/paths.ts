/** The paths of rooms, messages, threads, members, invites, settings, and the list of followed threads. */
export const THREADS_PATH = '/threads';
export const roomPath = (room: string) => `/rooms/${encodeURIComponent(room)}`;
export const messagePath = (room: string, message: string) =>
  `${roomPath(room)}/messages/${encodeURIComponent(message)}`;
export const threadPath = (room: string, root: string) =>
  `${roomPath(room)}/threads/${encodeURIComponent(root)}`;
export const membersPath = (room: string) => `${roomPath(room)}/members`;
export const invitePath = (code: string) => `/invite/${encodeURIComponent(code)}`;
export const deliverySettingsPath = '/settings/notifications';
