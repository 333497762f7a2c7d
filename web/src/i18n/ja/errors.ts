import type { errors as english } from '../en/errors.ts';

/** The Japanese texts of errors, by their codes and reasons. */
export const errors: Readonly<Record<keyof typeof english, string>> = {
  'error.UNAUTHENTICATED': 'もう一度サインインしてください。',
  'error.ACCOUNT_DELETED': 'このアカウントは削除されています。',
  'error.FORBIDDEN': 'この操作は許可されていません。ルームのオーナーに相談してください。',
  'error.NOT_FOUND': '存在しないか、表示できません。',
  'error.BAD_USER_INPUT':
    '使えない内容が含まれています{limit, select, none {} other {（上限：{limit}）}}。直してもう一度お試しください。',
  'error.CONFLICT': 'ほかの人が先に変更したようです。もう一度確認してください。',
  'error.GRAPHQL_VALIDATION_FAILED':
    'ページとサーバーのバージョンが異なります。ページを再読み込みしてください。',
  'conflict.BANNED': 'このルームへの参加が禁止されています。先に禁止を解除してください。',
  'conflict.LAST_OWNER': 'ルームにはオーナーが必要です。先にほかの人をオーナーにしてください。',
  'conflict.TOO_MANY_ROOMS': '上限の 1,000 ルームに参加しています。先にどれかを退出してください。',
  'conflict.USER_IN_TOO_MANY_ROOMS':
    '相手が上限の 1,000 ルームに参加しています。相手が先にどれかを退出する必要があります。',
  'conflict.CAPACITY_BELOW_MEMBERS':
    'メンバーの人数より少なくはできません。定員を増やすか、先に誰かを外してください。',
  'conflict.DELETED': 'このメッセージは削除されました。',
  'conflict.THREAD_CLOSED': '最初のメッセージが削除されたため、このスレッドには返信できません。',
  'conflict.EDITED_MEANWHILE': '別の端末で同時にこのメッセージが編集されました。',
  'conflict.VERSION_CHANGED': '別の端末で同時に変更されました。',
  'conflict.COUNT_CHANGED': '件数が変わりました。もう一度確認してから実行してください。',
  'conflict.KEY_REUSED':
    '代わりに別のメッセージが送信されました。本文をコピーして、新しいメッセージとして送信してください。',
  'conflict.ALREADY_STAMPED': 'このスタンプはすでに押しています。',
  'conflict.BLOCKED': 'この人をブロックしています。アカウントメニューから解除できます。',
  'conflict.LIMIT_REACHED': 'これ以上追加できません。上限に達しています。',
  'error.ROOM_FULL': 'このルームは満員です。',
  'error.PERSISTED_QUERY_NOT_SUPPORTED':
    'サーバーが要求を理解できませんでした。ページを再読み込みしてください。',
  'error.HANDLE_TAKEN': 'この名前は使われています。別の名前を選んでください。',
  'error.ALREADY_MEMBER': 'すでにこのルームのメンバーです。',
  'error.RATE_LIMITED': '操作が速すぎます。数秒待ってからもう一度お試しください。',
  'error.UNAVAILABLE': 'サーバーがいま対応できません。少し待ってからもう一度お試しください。',
  'error.INTERNAL':
    'サーバーで問題が起きました{errorId, select, none {} other {（管理者にお伝えください：{errorId}）}}。しばらくしてからもう一度お試しください。',
  'error.OFFLINE': 'サーバーから応答がありません。接続を確認してもう一度お試しください。',
};
