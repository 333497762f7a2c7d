/**
 * The paths of rooms, messages, threads, members, invites, settings, and the lists of followed threads and saved
 * messages.
 */
export const THREADS_PATH = '/threads';
export const roomPath = (room: string) => `/rooms/${encodeURIComponent(room)}`;
export const messagePath = (room: string, message: string) =>
  `${roomPath(room)}/messages/${encodeURIComponent(message)}`;
export const threadPath = (room: string, root: string) =>
  `${roomPath(room)}/threads/${encodeURIComponent(root)}`;
export const membersPath = (room: string) => `${roomPath(room)}/members`;
export const invitePath = (code: string) => `/invite/${encodeURIComponent(code)}`;
export const SAVED_PATH = '/saved';
/** A list of saved messages, or those with a tag. */
export const savedPath = (list: string | { readonly tag: string }) =>
  typeof list === 'string'
    ? `${SAVED_PATH}${list === 'all' ? '' : `/${list}`}`
    : `${SAVED_PATH}/tags/${encodeURIComponent(list.tag)}`;
export const SETTINGS_PATH = '/settings';
export const deliverySettingsPath = '/settings/notifications';
