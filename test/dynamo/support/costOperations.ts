import { graphql } from '../../generated/gql.ts';

/** Operations that select as little as possible, so that their cost is the access pattern's own cost. */

export const CostMe = graphql(`query CostMe { viewer { user { id } } }`);
export const CostRename = graphql(`
  mutation CostRename($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }
`);
export const CostSignOut = graphql(`mutation CostSignOut { signOutEverywhere { user { id } } }`);
export const CostByHandle = graphql(`query CostByHandle($handle: String!) { user(handle: $handle) { id } }`);
export const CostSearchMembers = graphql(`
  query CostSearchMembers($roomId: ID!, $prefix: String!) {
    room(id: $roomId) { searchMembers(prefix: $prefix, first: 10) { edges { node { user { handle } } } } }
  }
`);
export const CostNode = graphql(`query CostNode($id: ID!) { node(id: $id) { id } }`);
export const CostNodes = graphql(`query CostNodes($ids: [ID!]!) { nodes(ids: $ids) { id } }`);

export const CostCreateRoom = graphql(`
  mutation CostCreateRoom($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }
`);
export const CostJoin = graphql(`
  mutation CostJoin($roomId: ID!) { joinRoom(input: { roomId: $roomId }) { membership { id } } }
`);
export const CostLeave = graphql(`
  mutation CostLeave($roomId: ID!) { leaveRoom(input: { roomId: $roomId }) { deletedMembershipId } }
`);
export const CostDeleteAccount = graphql(`
  mutation CostDeleteAccount($confirm: String!) {
    deleteAccount(input: { confirm: $confirm, eraseMessages: false }) { deletedUserId }
  }
`);
export const CostDeleteRoom = graphql(`
  mutation CostDeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }
`);
export const CostUpdateRoom = graphql(`
  mutation CostUpdateRoom($input: UpdateRoomInput!) { updateRoom(input: $input) { room { id } } }
`);
export const CostAdd = graphql(`
  mutation CostAdd($roomId: ID!, $userId: ID!) {
    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id } }
  }
`);
export const CostRole = graphql(`
  mutation CostRole($roomId: ID!, $userId: ID!, $role: Role!) {
    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id } }
  }
`);
export const CostRemove = graphql(`
  mutation CostRemove($roomId: ID!, $userId: ID!) {
    removeMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }
  }
`);
export const CostBan = graphql(`
  mutation CostBan($roomId: ID!, $userId: ID!) {
    banMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }
  }
`);
export const CostUnban = graphql(`
  mutation CostUnban($roomId: ID!, $userId: ID!) {
    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { name } }
  }
`);
export const CostWait = graphql(`
  mutation CostWait($roomId: ID!) {
    joinRoom(input: { roomId: $roomId, waitlist: true }) { membership { id } }
  }
`);
export const CostWaitEdge = graphql(`
  mutation CostWaitEdge($roomId: ID!) {
    joinRoom(input: { roomId: $roomId, waitlist: true }) { waitlistEdge { cursor since node { name } } }
  }
`);
export const CostPosition = graphql(
  `query CostPosition($roomId: ID!) { room(id: $roomId) { waitlistPosition } }`,
);
export const CostInvite = graphql(`
  mutation CostInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code invite { id } } }
`);
export const CostComeIn = graphql(`
  mutation CostComeIn($code: String!) { joinWithInvite(input: { code: $code }) { membership { id } } }
`);
export const CostRevoke = graphql(`
  mutation CostRevoke($inviteId: ID!) { revokeInvite(input: { inviteId: $inviteId }) { deletedInviteId } }
`);
export const CostDirect = graphql(`
  mutation CostDirect($userIds: [ID!]!) { openDirectRoom(input: { userIds: $userIds }) { room { id } } }
`);
export const CostRoom = graphql(`
  query CostRoom($roomId: ID!) { room(id: $roomId) { name memberCount viewerMembership { unreadCount } } }
`);
export const CostDirectory = graphql(`
  query CostDirectory { rooms(first: 10) { edges { node { name memberCount } } } }
`);
export const CostPeople = graphql(
  `query CostPeople($roomId: ID!) { room(id: $roomId) { people { displayName } } }`,
);
export const CostMembers = graphql(`
  query CostMembers($roomId: ID!) { room(id: $roomId) { members(first: 10) { edges { node { user { displayName } } } } } }
`);
export const CostMemberships = graphql(`
  query CostMemberships { viewer { memberships(first: 10) { edges { node { role } } } } }
`);
export const CostJoined = graphql(`
  query CostJoined { viewer { memberships(first: 10, orderBy: JOINED) { edges { node { role } } } } }
`);
export const CostLastMessage = graphql(`
  query CostLastMessage($roomId: ID!) { room(id: $roomId) { lastActivityAt lastMessage { body } } }
`);

export const CostSend = graphql(`
  mutation CostSend($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }
`);
export const CostEdit = graphql(`
  mutation CostEdit($messageId: ID!, $body: String!) {
    editMessage(input: { messageId: $messageId, body: $body }) { message { id } }
  }
`);
export const CostDelete = graphql(`
  mutation CostDelete($messageId: ID!) { deleteMessage(input: { messageId: $messageId }) { message { id } } }
`);
export const CostTimeline = graphql(`
  query CostTimeline($roomId: ID!, $last: Int, $before: String) {
    room(id: $roomId) {
      messages(last: $last, before: $before) { edges { node { body } } pageInfo { startCursor } }
    }
  }
`);
export const CostAuthors = graphql(`
  query CostAuthors($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { body author { displayName } } } } }
  }
`);
export const CostAround = graphql(`
  query CostAround($roomId: ID!, $around: ID!) {
    room(id: $roomId) { messages(first: 10, around: $around) { edges { node { body } } } }
  }
`);
export const CostFrom = graphql(`
  query CostFrom($roomId: ID!, $from: DateTime!) {
    room(id: $roomId) { messages(first: 10, from: $from) { edges { node { body } } } }
  }
`);
export const CostThreads = graphql(`
  query CostThreads($roomId: ID!) {
    room(id: $roomId) {
      threads(last: 10) {
        edges { node { root { body } replies { body } hasMoreReplies stamps { stamp { key } } } }
      }
    }
  }
`);
export const CostThread = graphql(`
  query CostThread($id: ID!) {
    node(id: $id) { ... on Message { body replies(last: 10) { edges { node { body } } } } }
  }
`);

export const CostUnread = graphql(`
  query CostUnread { viewer { unread { total rooms { unreadCount room { name } } } } }
`);
export const CostExplain = graphql(
  `query CostExplain($roomId: ID!) { room(id: $roomId) { explainUnread { body } } }`,
);
export const CostRead = graphql(`
  mutation CostRead($input: MarkRoomReadInput!) { markRoomRead(input: $input) { membership { id } } }
`);
export const CostReadAll = graphql(`
  mutation CostReadAll { markAllRoomsRead { unread { total } } }
`);
export const CostReadBack = graphql(`
  mutation CostReadBack($messageId: ID!) { markRoomUnread(input: { messageId: $messageId }) { membership { id } } }
`);
export const CostMute = graphql(`
  mutation CostMute($roomId: ID!, $muted: Boolean!) {
    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { id } }
  }
`);

export const CostArrange = graphql(`
  mutation CostArrange($roomId: ID!) {
    arrangeRoom(input: { roomId: $roomId, section: "Work", starred: true }) { membership { id } }
  }
`);
export const CostRoomDelivery = graphql(`
  mutation CostRoomDelivery($roomId: ID!, $delivery: RoomDelivery!) {
    setRoomDelivery(input: { roomId: $roomId, delivery: $delivery }) { membership { id } }
  }
`);
export const CostDeliverySettings = graphql(`
  mutation CostDeliverySettings($hideText: Boolean!) {
    updateDeliverySettings(input: { hideText: $hideText }) { settings { hideText } }
  }
`);
export const CostPause = graphql(`
  mutation CostPause($until: DateTime!) { pauseDeliveries(input: { until: $until }) { settings { hideText } } }
`);
export const CostReadDeliverySettings = graphql(`
  query CostReadDeliverySettings { viewer { deliverySettings { hideText kinds { kind } } } }
`);

export const CostStamp = graphql(`
  mutation CostStamp($messageId: ID!, $stamp: String!) {
    addStamp(input: { messageId: $messageId, stamp: $stamp }) { messageStamp { id } }
  }
`);
export const CostUnstamp = graphql(`
  mutation CostUnstamp($messageStampId: ID!) {
    removeStamp(input: { messageStampId: $messageStampId }) { deletedMessageStampId }
  }
`);
export const CostCatalogue = graphql(`query CostCatalogue { stamps { key label } }`);
export const CostStamps = graphql(`
  query CostStamps($id: ID!) {
    node(id: $id) { ... on Message { stamps(first: 10) { edges { node { createdAt } } } } }
  }
`);
export const CostCounts = graphql(`
  query CostCounts($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { stampCounts { count viewerHasStamped } } } } }
  }
`);
export const CostLike = graphql(`
  mutation CostLike($messageId: ID!) {
    likeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }
  }
`);
export const CostLikeEdges = graphql(`
  mutation CostLikeEdges($messageId: ID!) {
    likeMessage(input: { messageId: $messageId }) {
      message { likeCount viewerHasLiked } likedMessageEdge { cursor } likerEdge { cursor }
    }
  }
`);
export const CostUnlike = graphql(`
  mutation CostUnlike($messageId: ID!) {
    unlikeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }
  }
`);
export const CostLikers = graphql(`
  query CostLikers($id: ID!) {
    node(id: $id) { ... on Message { likers(first: 10) { edges { node { displayName } } } } }
  }
`);
export const CostWhole = graphql(`
  query CostWhole($roomId: ID!) {
    room(id: $roomId) {
      messages(last: 10) {
        edges {
          node {
            body author { displayName } replyCount lastReplyAt participants { displayName }
            likeCount viewerHasLiked stampCounts { count viewerHasStamped }
          }
        }
      }
    }
  }
`);
export const CostTyping = graphql(`
  mutation CostTyping($roomId: ID!) { setTyping(input: { roomId: $roomId, typing: true }) { room { name } } }
`);

export const CostBadge = graphql(
  `subscription CostBadge { unread { total rooms { unreadCount room { name } } } }`,
);
export const CostEvents = graphql(`
  subscription CostEvents($roomId: ID!, $after: String) { roomEvents(roomId: $roomId, after: $after) { __typename cursor } }
`);
export const CostCursor = graphql(`query CostCursor($roomId: ID!) { room(id: $roomId) { eventsCursor } }`);

export const CostNotifications = graphql(`
  query CostNotifications($unreadOnly: Boolean) {
    viewer { notifications(first: 10, unreadOnly: $unreadOnly) { edges { node { kind actorCount readAt } } } }
  }
`);
export const CostNotificationTexts = graphql(`
  query CostNotificationTexts {
    viewer { notifications(first: 10) { edges { node { text message { body } } } } }
  }
`);
export const CostNotification = graphql(`
  query CostNotification($id: ID!) { node(id: $id) { ... on Notification { actorCount readAt } } }
`);
export const CostNotificationChanged = graphql(`
  subscription CostNotificationChanged { notificationChanged { notification { actorCount readAt } } }
`);
export const CostMarkNotifications = graphql(`
  mutation CostMarkNotifications($ids: [ID!]) {
    markNotificationsRead(input: { ids: $ids }) { notifications { readAt } }
  }
`);
export const CostReadThread = graphql(`
  mutation CostReadThread($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { message { body } } }
`);

export const CostFollowedThreads = graphql(`
  query CostFollowedThreads($unreadOnly: Boolean) {
    viewer { threads(first: 10, unreadOnly: $unreadOnly) { edges { node { root { body } viewerIsFollowing hasUnread } } } }
  }
`);
export const CostUnfollow = graphql(`
  mutation CostUnfollow($messageId: ID!) { unfollowThread(input: { messageId: $messageId }) { message { body } } }
`);
export const CostFollow = graphql(`
  mutation CostFollow($messageId: ID!) { followThread(input: { messageId: $messageId }) { message { body } } }
`);
export const CostFollowEdge = graphql(`
  mutation CostFollowEdge($messageId: ID!) {
    followThread(input: { messageId: $messageId }) { message { body } threadEdge { cursor node { root { body } } } }
  }
`);
export const CostFollowing = graphql(`
  query CostFollowing($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { viewerIsFollowing } } } }
  }
`);

export const CostSaved = graphql(`
  query CostSaved(
    $visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean
    $orderBy: SavedOrder, $from: DateTime
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    viewer {
      savedMessages(
        visibility: $visibility, tags: $tags, tagIds: $tagIds, untagged: $untagged, orderBy: $orderBy, from: $from
        first: $first, after: $after, last: $last, before: $before
      ) {
        edges { node { note tags savedAt message { body createdAt } } }
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
      }
    }
  }
`);
export const CostSavedMessage = graphql(`
  query CostSavedMessage($id: ID!) { node(id: $id) { ... on SavedMessage { note tags message { body } } } }
`);
export const CostSavedTags = graphql(`
  query CostSavedTags($prefix: String, $orderBy: SavedTagOrder) {
    viewer { savedTags(prefix: $prefix, orderBy: $orderBy, first: 2) { edges { node { name count } } } }
  }
`);
export const CostLastSavedTags = graphql(`
  query CostLastSavedTags { viewer { savedTags(last: 2) { edges { node { name count } } } } }
`);
export const CostPublicSaved = graphql(`
  query CostPublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder) {
    node(id: $id) {
      ... on User {
        savedMessages(tag: $tag, orderBy: $orderBy, first: 10) { edges { node { note tags message { body } } } }
      }
    }
  }
`);
export const CostPublicTags = graphql(`
  query CostPublicTags($id: ID!) {
    node(id: $id) { ... on User { savedTags(first: 2) { edges { node { name count } } } } }
  }
`);
export const CostPublicSaves = graphql(`
  query CostPublicSaves($id: ID!) {
    node(id: $id) { ... on Message { publicSaves(first: 10) { edges { node { note savedBy { handle } } } } } }
  }
`);
export const CostPublicSaveCounts = graphql(`
  query CostPublicSaveCounts($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { publicSaveCount } } } }
  }
`);
export const CostSavedCounts = graphql(`query CostSavedCounts { viewer { savedCounts { total untagged } } }`);
export const CostReminders = graphql(`
  query CostReminders { viewer { reminders(first: 10) { edges { node { remindAt tags message { body } } } } } }
`);
export const CostSavedMarks = graphql(`
  query CostSavedMarks($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note } } } } }
  }
`);
export const CostSavedMarksWithTags = graphql(`
  query CostSavedMarksWithTags($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note tags } } } } }
  }
`);
export const CostSave = graphql(`
  mutation CostSave($input: SaveMessageInput!) { saveMessage(input: $input) { savedMessage { note } } }
`);
export const CostUnsave = graphql(`
  mutation CostUnsave($messageId: ID!) {
    removeSavedMessage(input: { messageId: $messageId }) { removed { note tags } }
  }
`);
export const CostJobs = graphql(`
  query CostJobs { viewer { jobs(first: 10) { edges { node { state done text remainingSeconds } } } } }
`);
export const CostSavedChanged = graphql(
  `subscription CostSavedChanged { savedChanged { counts { total } } }`,
);
