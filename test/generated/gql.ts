/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation CreateRoom($input: CreateRoomInput!) {\n    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }\n  }\n": typeof types.CreateRoomDocument,
    "\n  mutation JoinRoom($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }\n  }\n": typeof types.JoinRoomDocument,
    "\n  mutation LeaveRoom($roomId: ID!) {\n    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }\n  }\n": typeof types.LeaveRoomDocument,
    "\n  mutation SendMessage($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      message { id body createdAt version position author { id handle } root { id } replyCount }\n    }\n  }\n": typeof types.SendMessageDocument,
    "\n  mutation MarkRoomRead($input: MarkRoomReadInput!) {\n    markRoomRead(input: $input) { membership { id unreadCount } }\n  }\n": typeof types.MarkRoomReadDocument,
    "\n  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    room(id: $roomId) {\n      id\n      messages(first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body position version replyCount author { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.TimelineDocument,
    "\n  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        id replyCount lastReplyAt participants { handle }\n        replies(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id body createdAt root { id } author { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.ThreadDocument,
    "\n  query UnreadNow {\n    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }\n  }\n": typeof types.UnreadNowDocument,
    "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount room { id name } membership { role } } }\n  }\n": typeof types.UnreadLiveDocument,
};
const documents: Documents = {
    "\n  mutation CreateRoom($input: CreateRoomInput!) {\n    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }\n  }\n": types.CreateRoomDocument,
    "\n  mutation JoinRoom($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }\n  }\n": types.JoinRoomDocument,
    "\n  mutation LeaveRoom($roomId: ID!) {\n    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }\n  }\n": types.LeaveRoomDocument,
    "\n  mutation SendMessage($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      message { id body createdAt version position author { id handle } root { id } replyCount }\n    }\n  }\n": types.SendMessageDocument,
    "\n  mutation MarkRoomRead($input: MarkRoomReadInput!) {\n    markRoomRead(input: $input) { membership { id unreadCount } }\n  }\n": types.MarkRoomReadDocument,
    "\n  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    room(id: $roomId) {\n      id\n      messages(first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body position version replyCount author { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.TimelineDocument,
    "\n  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        id replyCount lastReplyAt participants { handle }\n        replies(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id body createdAt root { id } author { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.ThreadDocument,
    "\n  query UnreadNow {\n    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }\n  }\n": types.UnreadNowDocument,
    "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount room { id name } membership { role } } }\n  }\n": types.UnreadLiveDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRoom($input: CreateRoomInput!) {\n    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }\n  }\n"): typeof import('./graphql.ts').CreateRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation JoinRoom($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }\n  }\n"): typeof import('./graphql.ts').JoinRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LeaveRoom($roomId: ID!) {\n    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }\n  }\n"): typeof import('./graphql.ts').LeaveRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendMessage($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      message { id body createdAt version position author { id handle } root { id } replyCount }\n    }\n  }\n"): typeof import('./graphql.ts').SendMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkRoomRead($input: MarkRoomReadInput!) {\n    markRoomRead(input: $input) { membership { id unreadCount } }\n  }\n"): typeof import('./graphql.ts').MarkRoomReadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    room(id: $roomId) {\n      id\n      messages(first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body position version replyCount author { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').TimelineDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        id replyCount lastReplyAt participants { handle }\n        replies(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id body createdAt root { id } author { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UnreadNow {\n    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }\n  }\n"): typeof import('./graphql.ts').UnreadNowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount room { id name } membership { role } } }\n  }\n"): typeof import('./graphql.ts').UnreadLiveDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
