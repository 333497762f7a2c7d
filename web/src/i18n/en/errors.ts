/** The English texts of errors, by their codes and reasons. */
export const errors = {
  'error.UNAUTHENTICATED': 'Please sign in again.',
  'error.ACCOUNT_DELETED': 'This account was deleted.',
  'error.FORBIDDEN': 'You don’t have permission to do this here. An owner of the room can change that.',
  'error.NOT_FOUND': 'This doesn’t exist any more, or you don’t have access to it.',
  'error.BAD_USER_INPUT':
    'Something here isn’t allowed{limit, select, none {} other { (limit: {limit})}}. Change it and try again.',
  'error.CONFLICT': 'This has changed in the meantime. Check it and try again.',
  'error.GRAPHQL_VALIDATION_FAILED': 'This page and the server have different versions. Reload the page.',
  'conflict.BANNED': 'They’re banned from this room. Lift the ban first.',
  'conflict.LAST_OWNER': 'A room needs an owner. Make someone else an owner first.',
  'conflict.TOO_MANY_ROOMS': 'You’re already in 1,000 rooms, the maximum. Leave one first.',
  'conflict.USER_IN_TOO_MANY_ROOMS':
    'They’re already in 1,000 rooms, the maximum. They have to leave one first.',
  'conflict.CAPACITY_BELOW_MEMBERS':
    'The room has more members than that. Choose a higher limit, or remove someone first.',
  'conflict.DELETED': 'This message has been deleted.',
  'conflict.THREAD_CLOSED': 'This thread is closed because its first message has been deleted.',
  'conflict.EDITED_MEANWHILE': 'You edited this message on another device at the same time.',
  'conflict.VERSION_CHANGED': 'You changed this on another device at the same time.',
  'conflict.COUNT_CHANGED': 'The number of messages has changed. Look at it again, then confirm it.',
  'conflict.KEY_REUSED': 'Another message was sent in its place. Copy the text and send it as a new message.',
  'conflict.ALREADY_STAMPED': 'You’ve already put this stamp on the message.',
  'conflict.BLOCKED': 'You’ve blocked this person. You can undo that in the account menu.',
  'conflict.LIMIT_REACHED': 'You can’t add more: the limit has been reached.',
  'error.ROOM_FULL': 'Every seat in this room is taken.',
  'error.PERSISTED_QUERY_NOT_SUPPORTED': 'The server did not understand this. Reload the page.',
  'error.HANDLE_TAKEN': 'Someone else already has this handle. Choose another one.',
  'error.ALREADY_MEMBER': 'Already a member of this room.',
  'error.RATE_LIMITED': 'That was too fast. Wait a few seconds and try again.',
  'error.UNAVAILABLE': 'The server can’t do this right now. Try again in a moment.',
  'error.INTERNAL':
    'Something went wrong on the server{errorId, select, none {} other { (error id: {errorId})}}. Try again later.',
  'error.OFFLINE': 'The server didn’t respond. Check your connection and try again.',
} as const satisfies Readonly<Record<string, string>>;
