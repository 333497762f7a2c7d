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
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }\n": typeof types.DeleteAccountDocument,
    "\n  query ProfileOf($id: ID!) {\n    node(id: $id) { ... on User { id handle displayName avatarUrl isFormer } }\n  }\n": typeof types.ProfileOfDocument,
    "\n  query AuthorsOf($roomId: ID!) {\n    room(id: $roomId) {\n      memberCount\n      messages(last: 10) { edges { node { body likeCount author { id isFormer displayName } } } }\n      members(first: 10) { edges { node { role user { id } } } }\n    }\n  }\n": typeof types.AuthorsOfDocument,
    "\n  query BellTexts { viewer { notifications(first: 10) { edges { node { kind text } } } } }\n": typeof types.BellTextsDocument,
    "\n  subscription ExemplarEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.ExemplarEventsDocument,
    "\n  subscription LateEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.LateEventsDocument,
    "\n  subscription MetricsEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.MetricsEventsDocument,
    "\n  subscription TracedEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.TracedEventsDocument,
    "\n  query DecidedDeliveries {\n    viewer { id deliveries(first: 50) { edges { node { id kinds outcome decidedAt } } } }\n  }\n": typeof types.DecidedDeliveriesDocument,
    "\n  mutation WaitForReplies($seconds: Int!) {\n    updateDeliverySettings(input: { kinds: [{ kind: REPLY, delaySeconds: $seconds }] }) { settings { hideText } }\n  }\n": typeof types.WaitForRepliesDocument,
    "\n  query DeliverySettings {\n    viewer {\n      deliverySettings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        pausedUntil\n        hideText\n      }\n    }\n  }\n": typeof types.DeliverySettingsDocument,
    "\n  mutation UpdateDeliverySettings($input: UpdateDeliverySettingsInput!) {\n    updateDeliverySettings(input: $input) {\n      settings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        hideText\n      }\n    }\n  }\n": typeof types.UpdateDeliverySettingsDocument,
    "\n  mutation PauseDeliveries($until: DateTime) {\n    pauseDeliveries(input: { until: $until }) { settings { pausedUntil } }\n  }\n": typeof types.PauseDeliveriesDocument,
    "\n  mutation SetRoomDelivery($input: SetRoomDeliveryInput!) {\n    setRoomDelivery(input: $input) { membership { delivery muted } }\n  }\n": typeof types.SetRoomDeliveryDocument,
    "\n  mutation DeliveryRoom { createRoom(input: { name: \"Lunch\", visibility: PUBLIC }) { room { id } } }\n": typeof types.DeliveryRoomDocument,
    "\n  query EmailSettings {\n    viewer { deliverySettings { emailDigest email emailRefusedAt sendsEmail } }\n  }\n": typeof types.EmailSettingsDocument,
    "\n  mutation ChooseDigest($emailDigest: EmailDigest, $hideText: Boolean) {\n    updateDeliverySettings(input: { emailDigest: $emailDigest, hideText: $hideText }) {\n      settings { emailDigest email }\n    }\n  }\n": typeof types.ChooseDigestDocument,
    "\n  query EmailAttempts {\n    viewer { deliveries(first: 5) { edges { node { kinds outcome attempts { channel outcome } } } } }\n  }\n": typeof types.EmailAttemptsDocument,
    "\n  mutation RegisterPush($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id label createdAt lastUsedAt } }\n  }\n": typeof types.RegisterPushDocument,
    "\n  mutation RemovePush($id: ID!) {\n    removePushSubscription(input: { pushSubscriptionId: $id }) { deletedPushSubscriptionId }\n  }\n": typeof types.RemovePushDocument,
    "\n  mutation TestDelivery($channel: DeliveryChannel!) {\n    testDelivery(input: { channel: $channel }) { delivery { id kinds outcome attempts { channel } } }\n  }\n": typeof types.TestDeliveryDocument,
    "\n  query PushSubscriptions { viewer { pushSubscriptions { id } } }\n": typeof types.PushSubscriptionsDocument,
    "\n  query Deliveries { viewer { deliveries(first: 10) { edges { node { id outcome } } } } }\n": typeof types.DeliveriesDocument,
    "\n  query OwnDeliveries {\n    webPushPublicKey\n    viewer {\n      pushSubscriptions { id label lastUsedAt }\n      deliveries(first: 5) {\n        edges { node { id kinds rooms { id } text outcome attempts { channel outcome at } dueAt decidedAt } }\n      }\n    }\n  }\n": typeof types.OwnDeliveriesDocument,
    "query CostMe { viewer { user { id } } }": typeof types.CostMeDocument,
    "\n  mutation CostRename($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }\n": typeof types.CostRenameDocument,
    "mutation CostSignOut { signOutEverywhere { user { id } } }": typeof types.CostSignOutDocument,
    "query CostByHandle($handle: String!) { user(handle: $handle) { id } }": typeof types.CostByHandleDocument,
    "\n  query CostSearchMembers($roomId: ID!, $prefix: String!) {\n    room(id: $roomId) { searchMembers(prefix: $prefix, first: 10) { edges { node { user { handle } } } } }\n  }\n": typeof types.CostSearchMembersDocument,
    "query CostNode($id: ID!) { node(id: $id) { id } }": typeof types.CostNodeDocument,
    "query CostNodes($ids: [ID!]!) { nodes(ids: $ids) { id } }": typeof types.CostNodesDocument,
    "\n  mutation CostCreateRoom($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }\n": typeof types.CostCreateRoomDocument,
    "\n  mutation CostJoin($roomId: ID!) { joinRoom(input: { roomId: $roomId }) { membership { id } } }\n": typeof types.CostJoinDocument,
    "\n  mutation CostLeave($roomId: ID!) { leaveRoom(input: { roomId: $roomId }) { deletedMembershipId } }\n": typeof types.CostLeaveDocument,
    "\n  mutation CostDeleteAccount($confirm: String!) {\n    deleteAccount(input: { confirm: $confirm, eraseMessages: false }) { deletedUserId }\n  }\n": typeof types.CostDeleteAccountDocument,
    "\n  mutation CostDeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n": typeof types.CostDeleteRoomDocument,
    "\n  mutation CostUpdateRoom($input: UpdateRoomInput!) { updateRoom(input: $input) { room { id } } }\n": typeof types.CostUpdateRoomDocument,
    "\n  mutation CostAdd($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id } }\n  }\n": typeof types.CostAddDocument,
    "\n  mutation CostRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id } }\n  }\n": typeof types.CostRoleDocument,
    "\n  mutation CostRemove($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n": typeof types.CostRemoveDocument,
    "\n  mutation CostBan($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n": typeof types.CostBanDocument,
    "\n  mutation CostUnban($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { name } }\n  }\n": typeof types.CostUnbanDocument,
    "\n  mutation CostWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { membership { id } }\n  }\n": typeof types.CostWaitDocument,
    "\n  mutation CostWaitEdge($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { waitlistEdge { cursor since node { name } } }\n  }\n": typeof types.CostWaitEdgeDocument,
    "query CostPosition($roomId: ID!) { room(id: $roomId) { waitlistPosition } }": typeof types.CostPositionDocument,
    "\n  mutation CostInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code invite { id } } }\n": typeof types.CostInviteDocument,
    "\n  mutation CostComeIn($code: String!) { joinWithInvite(input: { code: $code }) { membership { id } } }\n": typeof types.CostComeInDocument,
    "\n  mutation CostRevoke($inviteId: ID!) { revokeInvite(input: { inviteId: $inviteId }) { deletedInviteId } }\n": typeof types.CostRevokeDocument,
    "\n  mutation CostDirect($userIds: [ID!]!) { openDirectRoom(input: { userIds: $userIds }) { room { id } } }\n": typeof types.CostDirectDocument,
    "\n  query CostRoom($roomId: ID!) { room(id: $roomId) { name memberCount viewerMembership { unreadCount } } }\n": typeof types.CostRoomDocument,
    "\n  query CostDirectory { rooms(first: 10) { edges { node { name memberCount } } } }\n": typeof types.CostDirectoryDocument,
    "query CostPeople($roomId: ID!) { room(id: $roomId) { people { displayName } } }": typeof types.CostPeopleDocument,
    "\n  query CostMembers($roomId: ID!) { room(id: $roomId) { members(first: 10) { edges { node { user { displayName } } } } } }\n": typeof types.CostMembersDocument,
    "\n  query CostMemberships { viewer { memberships(first: 10) { edges { node { role } } } } }\n": typeof types.CostMembershipsDocument,
    "\n  query CostJoined { viewer { memberships(first: 10, orderBy: JOINED) { edges { node { role } } } } }\n": typeof types.CostJoinedDocument,
    "\n  query CostLastMessage($roomId: ID!) { room(id: $roomId) { lastActivityAt lastMessage { body } } }\n": typeof types.CostLastMessageDocument,
    "\n  mutation CostSend($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }\n": typeof types.CostSendDocument,
    "\n  mutation CostEdit($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id } }\n  }\n": typeof types.CostEditDocument,
    "\n  mutation CostDelete($messageId: ID!) { deleteMessage(input: { messageId: $messageId }) { message { id } } }\n": typeof types.CostDeleteDocument,
    "\n  query CostTimeline($roomId: ID!, $last: Int, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) { edges { node { body } } pageInfo { startCursor } }\n    }\n  }\n": typeof types.CostTimelineDocument,
    "\n  query CostAuthors($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { body author { displayName } } } } }\n  }\n": typeof types.CostAuthorsDocument,
    "\n  query CostAround($roomId: ID!, $around: ID!) {\n    room(id: $roomId) { messages(first: 10, around: $around) { edges { node { body } } } }\n  }\n": typeof types.CostAroundDocument,
    "\n  query CostFrom($roomId: ID!, $from: DateTime!) {\n    room(id: $roomId) { messages(first: 10, from: $from) { edges { node { body } } } }\n  }\n": typeof types.CostFromDocument,
    "\n  query CostThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads(last: 10) {\n        edges { node { root { body } replies { body } hasMoreReplies stamps { stamp { key } } } }\n      }\n    }\n  }\n": typeof types.CostThreadsDocument,
    "\n  query CostThread($id: ID!) {\n    node(id: $id) { ... on Message { body replies(last: 10) { edges { node { body } } } } }\n  }\n": typeof types.CostThreadDocument,
    "\n  query CostUnread { viewer { unread { total rooms { unreadCount room { name } } } } }\n": typeof types.CostUnreadDocument,
    "query CostExplain($roomId: ID!) { room(id: $roomId) { explainUnread { body } } }": typeof types.CostExplainDocument,
    "\n  mutation CostRead($input: MarkRoomReadInput!) { markRoomRead(input: $input) { membership { id } } }\n": typeof types.CostReadDocument,
    "\n  mutation CostReadAll { markAllRoomsRead { unread { total } } }\n": typeof types.CostReadAllDocument,
    "\n  mutation CostReadBack($messageId: ID!) { markRoomUnread(input: { messageId: $messageId }) { membership { id } } }\n": typeof types.CostReadBackDocument,
    "\n  mutation CostMute($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { id } }\n  }\n": typeof types.CostMuteDocument,
    "\n  mutation CostArrange($roomId: ID!) {\n    arrangeRoom(input: { roomId: $roomId, section: \"Work\", starred: true }) { membership { id } }\n  }\n": typeof types.CostArrangeDocument,
    "\n  mutation CostRoomDelivery($roomId: ID!, $delivery: RoomDelivery!) {\n    setRoomDelivery(input: { roomId: $roomId, delivery: $delivery }) { membership { id } }\n  }\n": typeof types.CostRoomDeliveryDocument,
    "\n  mutation CostDeliverySettings($hideText: Boolean!) {\n    updateDeliverySettings(input: { hideText: $hideText }) { settings { hideText } }\n  }\n": typeof types.CostDeliverySettingsDocument,
    "\n  mutation CostPause($until: DateTime!) { pauseDeliveries(input: { until: $until }) { settings { hideText } } }\n": typeof types.CostPauseDocument,
    "\n  query CostReadDeliverySettings { viewer { deliverySettings { hideText kinds { kind } } } }\n": typeof types.CostReadDeliverySettingsDocument,
    "\n  mutation CostStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) { messageStamp { id } }\n  }\n": typeof types.CostStampDocument,
    "\n  mutation CostUnstamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) { deletedMessageStampId }\n  }\n": typeof types.CostUnstampDocument,
    "query CostCatalogue { stamps { key label } }": typeof types.CostCatalogueDocument,
    "\n  query CostStamps($id: ID!) {\n    node(id: $id) { ... on Message { stamps(first: 10) { edges { node { createdAt } } } } }\n  }\n": typeof types.CostStampsDocument,
    "\n  query CostCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { stampCounts { count viewerHasStamped } } } } }\n  }\n": typeof types.CostCountsDocument,
    "\n  mutation CostLike($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n": typeof types.CostLikeDocument,
    "\n  mutation CostLikeEdges($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { likeCount viewerHasLiked } likedMessageEdge { cursor } likerEdge { cursor }\n    }\n  }\n": typeof types.CostLikeEdgesDocument,
    "\n  mutation CostUnlike($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n": typeof types.CostUnlikeDocument,
    "\n  query CostLikers($id: ID!) {\n    node(id: $id) { ... on Message { likers(first: 10) { edges { node { displayName } } } } }\n  }\n": typeof types.CostLikersDocument,
    "\n  query CostWhole($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) {\n        edges {\n          node {\n            body author { displayName } replyCount lastReplyAt participants { displayName }\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped }\n          }\n        }\n      }\n    }\n  }\n": typeof types.CostWholeDocument,
    "\n  mutation CostTyping($roomId: ID!) { setTyping(input: { roomId: $roomId, typing: true }) { room { name } } }\n": typeof types.CostTypingDocument,
    "subscription CostBadge { unread { total rooms { unreadCount room { name } } } }": typeof types.CostBadgeDocument,
    "\n  subscription CostEvents($roomId: ID!, $after: String) { roomEvents(roomId: $roomId, after: $after) { __typename cursor } }\n": typeof types.CostEventsDocument,
    "query CostCursor($roomId: ID!) { room(id: $roomId) { eventsCursor } }": typeof types.CostCursorDocument,
    "\n  query CostNotifications($unreadOnly: Boolean) {\n    viewer { notifications(first: 10, unreadOnly: $unreadOnly) { edges { node { kind actorCount readAt } } } }\n  }\n": typeof types.CostNotificationsDocument,
    "\n  query CostNotificationTexts {\n    viewer { notifications(first: 10) { edges { node { text message { body } } } } }\n  }\n": typeof types.CostNotificationTextsDocument,
    "\n  query CostNotification($id: ID!) { node(id: $id) { ... on Notification { actorCount readAt } } }\n": typeof types.CostNotificationDocument,
    "\n  subscription CostNotificationChanged { notificationChanged { notification { actorCount readAt } } }\n": typeof types.CostNotificationChangedDocument,
    "\n  mutation CostMarkNotifications($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) { notifications { readAt } }\n  }\n": typeof types.CostMarkNotificationsDocument,
    "\n  mutation CostReadThread($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { message { body } } }\n": typeof types.CostReadThreadDocument,
    "\n  query CostFollowedThreads($unreadOnly: Boolean) {\n    viewer { threads(first: 10, unreadOnly: $unreadOnly) { edges { node { root { body } viewerIsFollowing hasUnread } } } }\n  }\n": typeof types.CostFollowedThreadsDocument,
    "\n  mutation CostUnfollow($messageId: ID!) { unfollowThread(input: { messageId: $messageId }) { message { body } } }\n": typeof types.CostUnfollowDocument,
    "\n  mutation CostFollow($messageId: ID!) { followThread(input: { messageId: $messageId }) { message { body } } }\n": typeof types.CostFollowDocument,
    "\n  mutation CostFollowEdge($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { body } threadEdge { cursor node { root { body } } } }\n  }\n": typeof types.CostFollowEdgeDocument,
    "\n  query CostFollowing($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerIsFollowing } } } }\n  }\n": typeof types.CostFollowingDocument,
    "\n  query CostSaved(\n    $visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean\n    $orderBy: SavedOrder, $from: DateTime\n    $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility, tags: $tags, tagIds: $tagIds, untagged: $untagged, orderBy: $orderBy, from: $from\n        first: $first, after: $after, last: $last, before: $before\n      ) {\n        edges { node { note tags savedAt message { body createdAt } } }\n        pageInfo { startCursor endCursor hasNextPage hasPreviousPage }\n      }\n    }\n  }\n": typeof types.CostSavedDocument,
    "\n  query CostSavedMessage($id: ID!) { node(id: $id) { ... on SavedMessage { note tags message { body } } } }\n": typeof types.CostSavedMessageDocument,
    "\n  query CostSavedTags($prefix: String, $orderBy: SavedTagOrder) {\n    viewer { savedTags(prefix: $prefix, orderBy: $orderBy, first: 2) { edges { node { name count } } } }\n  }\n": typeof types.CostSavedTagsDocument,
    "\n  query CostLastSavedTags { viewer { savedTags(last: 2) { edges { node { name count } } } } }\n": typeof types.CostLastSavedTagsDocument,
    "\n  query CostPublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: 10) { edges { node { note tags message { body } } } }\n      }\n    }\n  }\n": typeof types.CostPublicSavedDocument,
    "\n  query CostPublicTags($id: ID!) {\n    node(id: $id) { ... on User { savedTags(first: 2) { edges { node { name count } } } } }\n  }\n": typeof types.CostPublicTagsDocument,
    "\n  query CostPublicSaves($id: ID!) {\n    node(id: $id) { ... on Message { publicSaves(first: 10) { edges { node { note savedBy { handle } } } } } }\n  }\n": typeof types.CostPublicSavesDocument,
    "\n  query CostPublicSaveCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { publicSaveCount } } } }\n  }\n": typeof types.CostPublicSaveCountsDocument,
    "query CostSavedCounts { viewer { savedCounts { total untagged } } }": typeof types.CostSavedCountsDocument,
    "\n  query CostReminders { viewer { reminders(first: 10) { edges { node { remindAt tags message { body } } } } } }\n": typeof types.CostRemindersDocument,
    "\n  query CostSavedMarks($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note } } } } }\n  }\n": typeof types.CostSavedMarksDocument,
    "\n  query CostSavedMarksWithTags($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note tags } } } } }\n  }\n": typeof types.CostSavedMarksWithTagsDocument,
    "\n  mutation CostSave($input: SaveMessageInput!) { saveMessage(input: $input) { savedMessage { note } } }\n": typeof types.CostSaveDocument,
    "\n  mutation CostUnsave($messageId: ID!) {\n    removeSavedMessage(input: { messageId: $messageId }) { removed { note tags } }\n  }\n": typeof types.CostUnsaveDocument,
    "\n  query CostJobs { viewer { jobs(first: 10) { edges { node { state done text remainingSeconds } } } } }\n": typeof types.CostJobsDocument,
    "subscription CostSavedChanged { savedChanged { counts { total } } }": typeof types.CostSavedChangedDocument,
    "\n  query CostWaitlists { viewer { waitlists(first: 10) { edges { position node { name } } } } }\n": typeof types.CostWaitlistsDocument,
    "\n  mutation CostWaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) { membership { id } }\n  }\n": typeof types.CostWaitWithInviteDocument,
    "\n  mutation OwnEdgeSaved($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessageEdge { cursor node { id } }\n      reminderEdge { cursor node { id remindAt } }\n    }\n  }\n": typeof types.OwnEdgeSavedDocument,
    "\n  mutation OwnEdgeSnoozed($input: SnoozeReminderInput!) {\n    snoozeReminder(input: $input) { reminderEdge { cursor node { id remindAt } } }\n  }\n": typeof types.OwnEdgeSnoozedDocument,
    "\n  mutation OwnEdgeScheduled($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessageEdge { cursor node { id } } }\n  }\n": typeof types.OwnEdgeScheduledDocument,
    "\n  mutation OwnEdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likedMessageEdge { cursor node { id } } }\n  }\n": typeof types.OwnEdgeLikedDocument,
    "\n  mutation OwnEdgeFollowed($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) {\n      threadEdge { cursor node { root { id } replies { id } viewerIsFollowing } }\n    }\n  }\n": typeof types.OwnEdgeFollowedDocument,
    "\n  mutation OwnEdgeJoined($input: JoinRoomInput!) {\n    joinRoom(input: $input) { membershipEdge { cursor } waitlistEdge { cursor position since node { id } } }\n  }\n": typeof types.OwnEdgeJoinedDocument,
    "\n  mutation OwnEdgeInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n": typeof types.OwnEdgeInviteDocument,
    "\n  mutation OwnEdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      waitlistEdge { cursor position since node { id } }\n    }\n  }\n": typeof types.OwnEdgeAcceptedDocument,
    "\n  mutation OwnEdgePublished($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": typeof types.OwnEdgePublishedDocument,
    "\n  mutation OwnEdgeRenamed($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id } jobEdge { cursor node { id kind } } }\n  }\n": typeof types.OwnEdgeRenamedDocument,
    "\n  mutation OwnEdgeMerged($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": typeof types.OwnEdgeMergedDocument,
    "\n  mutation OwnEdgeDeleted($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": typeof types.OwnEdgeDeletedDocument,
    "\n  mutation OwnEdgeBrowser($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id } }\n  }\n": typeof types.OwnEdgeBrowserDocument,
    "\n  mutation OwnEdgeDelivery { testDelivery(input: { channel: WEB_PUSH }) { deliveryEdge { cursor node { id } } } }\n": typeof types.OwnEdgeDeliveryDocument,
    "\n  query OwnEdgeLists {\n    viewer {\n      savedMessages { edges { cursor node { id } } }\n      reminders { edges { cursor node { id remindAt } } }\n      scheduledMessages { edges { cursor node { id } } }\n      likedMessages { edges { cursor node { id } } }\n      threads { edges { cursor node { root { id } replies { id } viewerIsFollowing } } }\n      waitlists { edges { cursor position since node { id } } }\n      jobs { edges { cursor node { id kind } } }\n      deliveries { edges { cursor node { id } } }\n      savedTags { edges { node { id name } } }\n    }\n  }\n": typeof types.OwnEdgeListsDocument,
    "\n  mutation EdgeSent($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      messageEdge { cursor node { id } }\n      threadEdge { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } }\n    }\n  }\n": typeof types.EdgeSentDocument,
    "\n  mutation EdgeStamped($messageId: ID!) {\n    addStamp(input: { messageId: $messageId, stamp: \"tea\" }) { messageStampEdge { cursor node { id } } }\n  }\n": typeof types.EdgeStampedDocument,
    "\n  mutation EdgeAdded($input: AddMemberInput!) { addMember(input: $input) { membershipEdge { cursor node { id } } } }\n": typeof types.EdgeAddedDocument,
    "\n  mutation EdgeInvited($roomId: ID!) { createInvite(input: { roomId: $roomId }) { inviteEdge { cursor node { id } } } }\n": typeof types.EdgeInvitedDocument,
    "\n  mutation EdgeBanned($input: BanMemberInput!) { banMember(input: $input) { banEdge { cursor node { user { id } } } } }\n": typeof types.EdgeBannedDocument,
    "\n  mutation EdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likerEdge { cursor node { id } } }\n  }\n": typeof types.EdgeLikedDocument,
    "\n  mutation EdgeBlocked($userId: ID!) {\n    blockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n": typeof types.EdgeBlockedDocument,
    "\n  mutation EdgeUnblocked($userId: ID!) {\n    unblockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n": typeof types.EdgeUnblockedDocument,
    "\n  mutation EdgeCreated($visibility: RoomVisibility!) {\n    createRoom(input: { name: \"Room\", visibility: $visibility }) {\n      roomEdge { cursor node { id } }\n      membershipEdge { cursor node { id } }\n    }\n  }\n": typeof types.EdgeCreatedDocument,
    "\n  mutation EdgeOpened($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) { membershipEdge { cursor node { id } } }\n  }\n": typeof types.EdgeOpenedDocument,
    "\n  mutation EdgeJoined($input: JoinRoomInput!) { joinRoom(input: $input) { membershipEdge { cursor node { id } } } }\n": typeof types.EdgeJoinedDocument,
    "\n  mutation EdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code }) { membershipEdge { cursor node { id } } }\n  }\n": typeof types.EdgeAcceptedDocument,
    "\n  mutation EdgeCode($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n": typeof types.EdgeCodeDocument,
    "\n  query EdgesOfRooms { rooms(first: 1) { edges { cursor node { id } } } }\n": typeof types.EdgesOfRoomsDocument,
    "\n  query EdgesOfThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads { edges { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } } }\n    }\n  }\n": typeof types.EdgesOfThreadsDocument,
    "\n  query EdgesOfViewer {\n    viewer {\n      memberships(orderBy: JOINED) { edges { cursor node { id own { unreadCount muted } unreadCount muted } } }\n      blockedUsers { edges { cursor node { id } } }\n    }\n  }\n": typeof types.EdgesOfViewerDocument,
    "\n  query MoreEdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      bans { edges { cursor node { user { id } } } }\n      members { edges { node { user { id } own { unreadCount muted } } } }\n      messages { edges { node { likers { edges { cursor node { id } } } } } }\n    }\n  }\n": typeof types.MoreEdgesListedDocument,
    "\n  query EdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      members { edges { cursor node { id } } }\n      invites { edges { cursor node { id } } }\n      messages {\n        edges {\n          cursor\n          node {\n            id\n            stamps { edges { cursor node { id } } }\n            replies { edges { cursor node { id } } }\n          }\n        }\n      }\n    }\n  }\n": typeof types.EdgesListedDocument,
    "\n  mutation SendWithKey($input: SendMessageInput!) { sendMessage(input: $input) { message { id idempotencyKey } } }\n": typeof types.SendWithKeyDocument,
    "query ReadKey($id: ID!) { node(id: $id) { ... on Message { idempotencyKey } } }": typeof types.ReadKeyDocument,
    "\n  subscription KeysInEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageAdded { message { id body idempotencyKey viewerHasLiked } }\n    }\n  }\n": typeof types.KeysInEventsDocument,
    "\n  query Answered($id: ID!) {\n    node(id: $id) { ... on Message { id inReplyTo { id body author { handle } } root { id } } }\n  }\n": typeof types.AnsweredDocument,
    "\n  query Threads($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { replies(last: 10) { edges { node { body } } } } } } }\n  }\n": typeof types.ThreadsDocument,
    "\n  query MessageById($id: ID!) {\n    node(id: $id) {\n      ... on Message { id body version editedAt deletedAt position replyCount mentions { id handle } }\n    }\n  }\n": typeof types.MessageByIdDocument,
    "\n  mutation EditMessage($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id body editedAt version mentions { handle } } }\n  }\n": typeof types.EditMessageDocument,
    "\n  mutation DeleteMessage($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) { message { id body deletedAt version replyCount } }\n  }\n": typeof types.DeleteMessageDocument,
    "\n  query Around($roomId: ID!, $around: ID!, $first: Int) {\n    room(id: $roomId) {\n      messages(around: $around, first: $first) {\n        edges { cursor node { id body } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.AroundDocument,
    "\n  query From($roomId: ID!, $from: DateTime!, $first: Int, $after: String, $around: ID) {\n    room(id: $roomId) {\n      messages(from: $from, first: $first, after: $after, around: $around) {\n        edges { cursor node { id createdAt } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.FromDocument,
    "\n  query WrittenPage($roomId: ID!) {\n    room(id: $roomId) { messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } } }\n  }\n  fragment PageMessage on Message {\n    id version position body createdAt editedAt deletedAt url idempotencyKey replyCount lastReplyAt\n    likeCount viewerHasLiked\n    root { id }\n    inReplyTo { id }\n    author { ...PageUser }\n    participants { ...PageUser }\n    mentions { ...PageUser }\n    stampCounts { count viewerHasStamped stamp { key label imageUrl } }\n    replies(last: 5) { edges { node { id body viewerHasLiked author { ...PageUser } } } }\n  }\n  fragment PageUser on User { id handle displayName avatarUrl }\n": typeof types.WrittenPageDocument,
    "\n  query ExecutedPage($roomId: ID!, $yes: Boolean!) {\n    room(id: $roomId) @include(if: $yes) {\n      messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } }\n    }\n  }\n": typeof types.ExecutedPageDocument,
    "query MessageUrl($id: ID!) { node(id: $id) { ... on Message { url } } }": typeof types.MessageUrlDocument,
    "\n  query Followed($first: Int, $after: String, $replies: Int, $unreadOnly: Boolean) {\n    viewer {\n      unread { total }\n      threads(first: $first, after: $after, replies: $replies, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges {\n          cursor\n          node {\n            root { body room { name } }\n            replies { body }\n            hasMoreReplies\n            stamps { stamp { key } }\n            viewerIsFollowing\n            hasUnread\n          }\n        }\n      }\n    }\n  }\n": typeof types.FollowedDocument,
    "\n  mutation ReadFollowed($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { unread { total } } }\n": typeof types.ReadFollowedDocument,
    "mutation ReadAllFollowed { markNotificationsRead(input: {}) { unread { total } } }": typeof types.ReadAllFollowedDocument,
    "\n  query NotificationList($first: Int, $after: String, $unreadOnly: Boolean) {\n    viewer {\n      notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {\n        edges {\n          cursor\n          node { id kind text actorCount actors { handle } stamps { key } message { id body } latestReply { id } updatedAt readAt }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.NotificationListDocument,
    "\n  query NotificationById($id: ID!) {\n    node(id: $id) { ... on Notification { id kind text actorCount actors { handle } message { id } readAt } }\n  }\n": typeof types.NotificationByIdDocument,
    "\n  mutation MarkNotificationsRead($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) {\n      notifications { id text readAt }\n      unread { total notifications }\n    }\n  }\n": typeof types.MarkNotificationsReadDocument,
    "\n  subscription NotificationsLive {\n    notificationChanged {\n      notification { id kind text actorCount actors { handle } message { id } readAt }\n      removedId\n      unread { notifications }\n    }\n  }\n": typeof types.NotificationsLiveDocument,
    "\n  mutation MarkThreadRead($messageId: ID!) {\n    markThreadRead(input: { messageId: $messageId }) { message { id } unread { total notifications } }\n  }\n": typeof types.MarkThreadReadDocument,
    "\n  mutation FollowThread($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n": typeof types.FollowThreadDocument,
    "\n  mutation UnfollowThread($messageId: ID!) {\n    unfollowThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n": typeof types.UnfollowThreadDocument,
    "\n  query Following($id: ID!) { node(id: $id) { ... on Message { id viewerIsFollowing } } }\n": typeof types.FollowingDocument,
    "\n  subscription AlertEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.AlertEventsDocument,
    "\n  subscription DashboardEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": typeof types.DashboardEventsDocument,
    "\n  query Arrival {\n    viewer { user { handle displayName } unread { total } }\n    rooms(first: 20) { edges { node { id name } } }\n  }\n": typeof types.ArrivalDocument,
    "\n  mutation TwoMutations($roomId: ID!) {\n    failed: likeMessage(input: { messageId: \"x\" }) { message { id } }\n    sent: sendMessage(input: { roomId: $roomId, body: \"It is stored.\" }) { message { body } }\n  }\n": typeof types.TwoMutationsDocument,
    "\n  subscription LikesLive($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount viewerHasLiked stampCounts { viewerHasStamped stamp { key } } } }\n    }\n  }\n": typeof types.LikesLiveDocument,
    "\n  subscription LikesByCause($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount stampCounts { count } } cause { kind actor { id } } }\n    }\n  }\n": typeof types.LikesByCauseDocument,
    "\n  query Liked($roomId: ID, $first: Int, $after: String, $last: Int, $before: String) {\n    viewer {\n      likedMessages(roomId: $roomId, first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body viewerHasLiked } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.LikedDocument,
    "\n  query CostLiked($roomId: ID) {\n    viewer { likedMessages(roomId: $roomId, first: 10) { edges { node { id body } } } }\n  }\n": typeof types.CostLikedDocument,
    "\n  mutation LikeMessage($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n": typeof types.LikeMessageDocument,
    "\n  mutation UnlikeMessage($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n": typeof types.UnlikeMessageDocument,
    "\n  query LikesOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id version likeCount viewerHasLiked\n        likers(first: $first, after: $after) {\n          edges { cursor node { id handle } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.LikesOfDocument,
    "\n  query LikedPage($roomId: ID!, $last: Int!) {\n    room(id: $roomId) {\n      messages(last: $last) {\n        edges {\n          node {\n            id likeCount viewerHasLiked replyCount lastReplyAt\n            author { handle displayName avatarUrl }\n            participants { handle }\n            stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n      }\n    }\n  }\n": typeof types.LikedPageDocument,
    "\n  query LikedOne($id: ID!) {\n    node(id: $id) { ... on Message { likeCount viewerHasLiked author { handle } } }\n  }\n": typeof types.LikedOneDocument,
    "\n  query LikedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message { id likeCount viewerHasLiked replies { edges { node { id likeCount viewerHasLiked } } } }\n    }\n  }\n": typeof types.LikedThreadDocument,
    "\n  query StampById($id: ID!) { node(id: $id) { ... on Stamp { id key label imageUrl emoji } } }\n": typeof types.StampByIdDocument,
    "\n  query Catalogue { stamps { key label imageUrl emoji } }\n": typeof types.CatalogueDocument,
    "\n  mutation AddStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) {\n      messageStamp {\n        id createdAt stamp { key label imageUrl emoji } user { id handle }\n        message { id version stampCounts { count viewerHasStamped stamp { key } } }\n      }\n    }\n  }\n": typeof types.AddStampDocument,
    "\n  mutation RemoveStamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) {\n      deletedMessageStampId\n      message { id version stampCounts { count viewerHasStamped stamp { key } } }\n    }\n  }\n": typeof types.RemoveStampDocument,
    "\n  mutation DeleteStamped($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) {\n      message { id deletedAt stampCounts { count } stamps { edges { node { id } } } }\n    }\n  }\n": typeof types.DeleteStampedDocument,
    "\n  query StampsOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        stamps(first: $first, after: $after) {\n          edges { cursor node { id createdAt stamp { key } user { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.StampsOfDocument,
    "\n  query StampNode($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on MessageStamp { id createdAt stamp { key } user { handle } message { id } }\n    }\n  }\n": typeof types.StampNodeDocument,
    "\n  query StampedPage($roomId: ID!, $last: Int!, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) {\n        edges { node { id stampCounts { count viewerHasStamped stamp { key } } } }\n        pageInfo { startCursor }\n      }\n    }\n  }\n": typeof types.StampedPageDocument,
    "\n  query StampedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        replies { edges { node { id stampCounts { count viewerHasStamped stamp { key } } } } }\n      }\n    }\n  }\n": typeof types.StampedThreadDocument,
    "\n  query MineBefore {\n    viewer {\n      id\n      user { handle displayName }\n      unread { total notifications rooms { unreadCount readPosition room { id name } } }\n      memberships(first: 20, orderBy: JOINED) { edges { node { id role unreadCount room { id name topic memberCount } } } }\n      notifications(first: 50) { edges { node { id kind actorCount readAt message { id body } } } }\n      savedMessages(first: 20) { edges { node { id visibility note tags message { id body } } } }\n      likedMessages(first: 50) { edges { node { id body } } }\n    }\n  }\n": typeof types.MineBeforeDocument,
    "\n  query RoomBefore($roomId: ID!) {\n    room(id: $roomId) {\n      id\n      members(first: 10) { edges { node { role unreadCount user { handle } } } }\n      messages(last: 50) {\n        edges {\n          cursor\n          node {\n            id body createdAt editedAt deletedAt version position author { handle } mentions { handle }\n            replyCount lastReplyAt participants { handle } viewerIsFollowing\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n        pageInfo { hasPreviousPage hasNextPage }\n      }\n    }\n  }\n": typeof types.RoomBeforeDocument,
    "\n  query ThreadBefore($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        likers(first: 10) { edges { node { handle } } }\n        stamps(first: 10) { edges { node { id createdAt stamp { key } user { handle } } } }\n        replies(first: 20) {\n          edges { cursor node { id body version editedAt author { handle } likeCount inReplyTo { id } } }\n        }\n      }\n    }\n  }\n": typeof types.ThreadBeforeDocument,
    "\n  query FirstOwnRoom($after: String) {\n    viewer {\n      memberships(first: 1, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }\n    }\n  }\n": typeof types.FirstOwnRoomDocument,
    "\n  mutation DeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n": typeof types.DeleteRoomDocument,
    "\n  subscription Causes($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { id version } cause { kind actor { handle } stamp { key } } }\n    }\n  }\n": typeof types.CausesDocument,
    "\n  fragment WholeMessage on Message {\n    id version body editedAt deletedAt position replyCount lastReplyAt\n    author { handle }\n    root { id }\n    participants { handle }\n    mentions { handle }\n    likeCount viewerHasLiked\n    stampCounts { count viewerHasStamped stamp { key } }\n  }\n": typeof types.WholeMessageFragmentDoc,
    "\n  query WholeRoom($roomId: ID!, $after: String) {\n    room(id: $roomId) {\n      eventsCursor\n      name\n      memberCount\n      viewerMembership { user { handle } }\n      members(first: 100) { edges { node { role user { handle } } } }\n      messages(first: 100, after: $after) {\n        edges { node { ...WholeMessage replies(first: 100) { edges { node { ...WholeMessage } } } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.WholeRoomDocument,
    "\n  subscription WholeEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { name memberCount }\n      ... on MessageAdded { message { ...WholeMessage } }\n      ... on MessageChanged { message { ...WholeMessage } cause { kind actor { handle } stamp { key } } }\n      ... on MembershipChanged { user { handle } membership { role } }\n    }\n  }\n": typeof types.WholeEventsDocument,
    "\n  subscription RoomEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { id name memberCount capacity }\n      ... on MessageAdded { message { id body version position deletedAt root { id } } }\n      ... on MessageChanged { message { id body version position deletedAt replyCount } }\n      ... on MembershipChanged { user { handle } membership { role } }\n      ... on TypingChanged { users { handle } }\n    }\n  }\n": typeof types.RoomEventsDocument,
    "\n  subscription MembershipEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      ... on MembershipChanged { user { handle } membership { muted unreadCount } }\n    }\n  }\n": typeof types.MembershipEventsDocument,
    "\n  query EventsCursor($roomId: ID!) {\n    room(id: $roomId) { eventsCursor messages(last: 100) { edges { node { id body version position deletedAt replyCount } } } }\n  }\n": typeof types.EventsCursorDocument,
    "\n  query CursorOnly($roomId: ID!) { room(id: $roomId) { id eventsCursor } }\n": typeof types.CursorOnlyDocument,
    "\n  mutation SetTyping($roomId: ID!, $typing: Boolean!) {\n    setTyping(input: { roomId: $roomId, typing: $typing }) { room { id } }\n  }\n": typeof types.SetTypingDocument,
    "\n  subscription OpenedRoom($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      cursor\n      room { name viewerMembership { role user { handle } } }\n    }\n  }\n": typeof types.OpenedRoomDocument,
    "\n  mutation Arrange($input: ArrangeRoomInput!) {\n    arrangeRoom(input: $input) { membership { id section starred } }\n  }\n": typeof types.ArrangeDocument,
    "\n  query Arrangement($roomId: ID!) {\n    viewer { memberships(first: 10) { edges { node { section starred room { id } } } } }\n    room(id: $roomId) {\n      viewerMembership { section starred }\n      members(first: 10) { edges { node { user { id } section starred } } }\n    }\n  }\n": typeof types.ArrangementDocument,
    "\n  mutation WaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      membership { id }\n      room { id name topic visibility capacity memberCount waitingCount waitlistPosition viewerMembership { id } }\n    }\n  }\n": typeof types.WaitWithInviteDocument,
    "\n  query Waits($first: Int, $after: String) {\n    viewer {\n      waitlists(first: $first, after: $after) {\n        edges { cursor position since node { id name } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.WaitsDocument,
    "query SeenRoom($id: ID!) { room(id: $id) { name topic memberCount waitlistPosition } }": typeof types.SeenRoomDocument,
    "\n  query Bans($roomId: ID!) {\n    room(id: $roomId) { bans(first: 10) { edges { node { user { id } bannedBy { id } createdAt } } } }\n  }\n": typeof types.BansDocument,
    "\n  mutation CreateInvite($input: CreateInviteInput!) {\n    createInvite(input: $input) {\n      code\n      invite { id room { id } createdBy { handle } createdAt expiresAt maxUses uses }\n    }\n  }\n": typeof types.CreateInviteDocument,
    "\n  mutation JoinWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code }) { membership { id role room { id name } } }\n  }\n": typeof types.JoinWithInviteDocument,
    "\n  mutation RevokeInvite($inviteId: ID!) {\n    revokeInvite(input: { inviteId: $inviteId }) { room { id } deletedInviteId }\n  }\n": typeof types.RevokeInviteDocument,
    "\n  query Invites($roomId: ID!) {\n    room(id: $roomId) { invites(first: 10) { edges { node { id uses maxUses } } } }\n  }\n": typeof types.InvitesDocument,
    "\n  mutation OpenDirectRoom($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) {\n      room { id name visibility memberCount capacity viewerMembership { role } }\n    }\n  }\n": typeof types.OpenDirectRoomDocument,
    "\n  query PeopleOf($id: ID!) { room(id: $id) { people { handle } } }\n": typeof types.PeopleOfDocument,
    "\n  mutation JoinOrWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) {\n      membership { id role }\n      room { memberCount waitingCount waitlistPosition }\n    }\n  }\n": typeof types.JoinOrWaitDocument,
    "\n  query Waitlist($id: ID!) {\n    room(id: $id) { memberCount capacity waitingCount waitlistPosition viewerMembership { role } }\n  }\n": typeof types.WaitlistDocument,
    "\n  query OwnRooms { viewer { memberships(first: 50) { edges { node { room { id } } } } } }\n": typeof types.OwnRoomsDocument,
    "\n  query NotificationRooms {\n    viewer {\n      notifications(first: 20) {\n        edges { node { id kind text actorCount actors { handle } room { id name } message { id } readAt } }\n      }\n    }\n  }\n": typeof types.NotificationRoomsDocument,
    "query OwnIdOfSaver { viewer { id } }": typeof types.OwnIdOfSaverDocument,
    "\n  mutation SaveMessage($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessage { id visibility note tags remindAt version savedAt savedBy { id } message { id body } }\n    }\n  }\n": typeof types.SaveMessageDocument,
    "\n  mutation RemoveSavedMessage($input: RemoveSavedMessageInput!) {\n    removeSavedMessage(input: $input) { removed { id visibility note tags remindAt } message { id } }\n  }\n": typeof types.RemoveSavedMessageDocument,
    "\n  query SavedMessages(\n    $visibility: SavedVisibility\n    $tags: [String!]\n    $tagIds: [ID!]\n    $untagged: Boolean\n    $orderBy: SavedOrder\n    $from: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility\n        tags: $tags\n        tagIds: $tagIds\n        untagged: $untagged\n        orderBy: $orderBy\n        from: $from\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id visibility note tags version savedAt message { id body } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.SavedMessagesDocument,
    "\n  query SavedCounts { viewer { savedCounts { total public private untagged } } }\n": typeof types.SavedCountsDocument,
    "\n  query SavedMarks($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) { edges { node { id viewerHasLiked viewerSaved { id tags visibility } } } }\n    }\n  }\n": typeof types.SavedMarksDocument,
    "\n  query SavedNode($id: ID!) {\n    node(id: $id) { ... on SavedMessage { id version visibility note tags remindAt savedBy { id } message { id } } }\n  }\n": typeof types.SavedNodeDocument,
    "\n  mutation SnoozeReminder($id: ID!, $remindAt: DateTime!) {\n    snoozeReminder(input: { savedMessageId: $id, remindAt: $remindAt }) { savedMessage { id remindAt version } }\n  }\n": typeof types.SnoozeReminderDocument,
    "\n  query Reminders($first: Int, $after: String) {\n    viewer {\n      reminders(first: $first, after: $after) {\n        edges { node { id remindAt tags message { id } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.RemindersDocument,
    "\n  query SavedTags(\n    $prefix: String\n    $orderBy: SavedTagOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedTags(\n        prefix: $prefix\n        orderBy: $orderBy\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id name count publicCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.SavedTagsDocument,
    "\n  query SavedTagNode($id: ID!) { node(id: $id) { ... on SavedTag { id name count publicCount } } }\n": typeof types.SavedTagNodeDocument,
    "\n  subscription SavedChanged {\n    savedChanged {\n      savedMessage { id note tags version visibility message { id body } }\n      removedId\n      version\n      counts { total public private untagged }\n    }\n  }\n": typeof types.SavedChangedDocument,
    "\n  mutation RenameSavedTag($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id name count publicCount } job { id kind state text } }\n  }\n": typeof types.RenameSavedTagDocument,
    "\n  mutation MergeSavedTags($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { job { id kind state done total text failure finishedAt } }\n  }\n": typeof types.MergeSavedTagsDocument,
    "\n  mutation DeleteSavedTag($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { job { id kind state done total text } }\n  }\n": typeof types.DeleteSavedTagDocument,
    "\n  mutation SetVisibilityOfTagged($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { job { id kind state done total text } }\n  }\n": typeof types.SetVisibilityOfTaggedDocument,
    "\n  mutation CancelJob($input: CancelJobInput!) { cancelJob(input: $input) { job { id state } } }\n": typeof types.CancelJobDocument,
    "\n  query Jobs($first: Int, $after: String) {\n    viewer {\n      jobs(first: $first, after: $after) {\n        edges { node { id kind state done total remainingSeconds failure failureReason createdAt } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.JobsDocument,
    "\n  subscription JobChanged($jobId: ID!) { jobChanged(jobId: $jobId) { id state done total } }\n": typeof types.JobChangedDocument,
    "query JobNode($id: ID!) { node(id: $id) { ... on Job { id state done } } }": typeof types.JobNodeDocument,
    "\n  query PublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: $first, after: $after) {\n          edges { cursor node { id note tags visibility savedBy { id } remindAt version message { id body } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.PublicSavedDocument,
    "\n  query PublicSavedTags($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedTags(first: $first, after: $after) {\n          edges { cursor node { name count } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.PublicSavedTagsDocument,
    "\n  query PublicSaves($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        version\n        publicSaveCount\n        publicSaves(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id note tags remindAt version savedBy { id } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.PublicSavesDocument,
    "\n  mutation Schedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) {\n      scheduledMessage { id room { id } body replyTo { id } sendAt failure failureReason version }\n    }\n  }\n": typeof types.ScheduleDocument,
    "\n  mutation UpdateScheduled($input: UpdateScheduledMessageInput!) {\n    updateScheduledMessage(input: $input) { scheduledMessage { id body sendAt failure version } }\n  }\n": typeof types.UpdateScheduledDocument,
    "\n  mutation CancelScheduled($id: ID!) {\n    cancelScheduledMessage(input: { scheduledMessageId: $id }) { cancelled { id body } }\n  }\n": typeof types.CancelScheduledDocument,
    "\n  query ScheduledMessages($first: Int, $after: String) {\n    viewer {\n      scheduledMessages(first: $first, after: $after) {\n        edges {\n          cursor\n          node { id room { id } body replyTo { id } sendAt failure failureReason version }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.ScheduledMessagesDocument,
    "\n  query ScheduledNode($id: ID!) { node(id: $id) { ... on ScheduledMessage { id body } } }\n": typeof types.ScheduledNodeDocument,
    "\n  query SentTo($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 50) { edges { node { id body idempotencyKey author { id } mentions { id } replyCount replies { edges { node { body } } } } } }\n    }\n  }\n": typeof types.SentToDocument,
    "\n  query CostScheduled { viewer { scheduledMessages(first: 10) { edges { node { id sendAt body } } } } }\n": typeof types.CostScheduledDocument,
    "\n  mutation CostSchedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessage { id } }\n  }\n": typeof types.CostScheduleDocument,
    "\n  mutation CreateRoom($input: CreateRoomInput!) {\n    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }\n  }\n": typeof types.CreateRoomDocument,
    "\n  mutation JoinRoom($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }\n  }\n": typeof types.JoinRoomDocument,
    "\n  mutation LeaveRoom($roomId: ID!) {\n    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }\n  }\n": typeof types.LeaveRoomDocument,
    "\n  mutation UpdateRoom($input: UpdateRoomInput!) {\n    updateRoom(input: $input) { room { id name topic capacity memberCount } }\n  }\n": typeof types.UpdateRoomDocument,
    "\n  mutation AddMember($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id role muted user { id } } }\n  }\n": typeof types.AddMemberDocument,
    "\n  mutation RemoveMember($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { room { id memberCount } deletedMembershipId }\n  }\n": typeof types.RemoveMemberDocument,
    "\n  mutation SetMemberRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id role muted } }\n  }\n": typeof types.SetMemberRoleDocument,
    "\n  mutation BanMember($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) {\n      room { id memberCount } user { id } deletedMembershipId\n    }\n  }\n": typeof types.BanMemberDocument,
    "\n  mutation UnbanMember($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { id } user { id } }\n  }\n": typeof types.UnbanMemberDocument,
    "\n  mutation SendMessage($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      message { id body createdAt version position author { id handle } root { id } replyCount }\n    }\n  }\n": typeof types.SendMessageDocument,
    "\n  mutation MarkRoomRead($input: MarkRoomReadInput!) {\n    markRoomRead(input: $input) { membership { id unreadCount } }\n  }\n": typeof types.MarkRoomReadDocument,
    "\n  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    room(id: $roomId) {\n      id\n      messages(first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body position version replyCount author { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.TimelineDocument,
    "\n  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        id replyCount lastReplyAt participants { handle }\n        replies(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id body createdAt root { id } author { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": typeof types.ThreadDocument,
    "\n  query UnreadNow {\n    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }\n  }\n": typeof types.UnreadNowDocument,
    "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount readPosition room { id name } membership { role } } }\n  }\n": typeof types.UnreadLiveDocument,
    "\n  query Directory($first: Int, $after: String) {\n    rooms(first: $first, after: $after) {\n      edges { cursor node { id name topic visibility memberCount capacity } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": typeof types.DirectoryDocument,
    "\n  query RoomById($id: ID!) {\n    room(id: $id) { id name topic visibility memberCount capacity viewerMembership { id role unreadCount } }\n  }\n": typeof types.RoomByIdDocument,
    "\n  query Members($roomId: ID!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      members(first: $first, after: $after) {\n        edges { cursor node { id role unreadCount muted user { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.MembersDocument,
    "\n  query NodeById($id: ID!) {\n    node(id: $id) { __typename id }\n  }\n": typeof types.NodeByIdDocument,
    "\n  query NodesById($ids: [ID!]!) {\n    nodes(ids: $ids) { __typename id }\n  }\n": typeof types.NodesByIdDocument,
    "\n  query Me {\n    viewer { id locale user { id handle displayName avatarUrl } }\n  }\n": typeof types.MeDocument,
    "\n  query Memberships($first: Int, $after: String) {\n    viewer {\n      memberships(first: $first, after: $after) {\n        edges { cursor node { id role room { id } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.MembershipsDocument,
    "\n  query UserByHandle($handle: String!) {\n    user(handle: $handle) { id handle displayName avatarUrl }\n  }\n": typeof types.UserByHandleDocument,
    "\n  mutation UpdateProfile($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { user { id handle displayName avatarUrl } }\n  }\n": typeof types.UpdateProfileDocument,
    "\n  query RoomThreads($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String, $replies: Int) {\n    room(id: $roomId) {\n      threads(first: $first, after: $after, last: $last, before: $before, replies: $replies) {\n        pageInfo { hasPreviousPage hasNextPage startCursor endCursor }\n        edges {\n          node {\n            root { id body replyCount }\n            replies { id body }\n            hasMoreReplies\n            stamps { stamp { key } message { body } }\n          }\n        }\n      }\n    }\n  }\n": typeof types.RoomThreadsDocument,
    "query UnreadEverywhere { viewer { unread { total rooms { unreadCount } } } }": typeof types.UnreadEverywhereDocument,
    "\n  query RoomsInOrder($first: Int, $after: String, $orderBy: MembershipOrder, $unreadOnly: Boolean) {\n    viewer {\n      memberships(first: $first, after: $after, orderBy: $orderBy, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges { node { room { name lastActivityAt lastMessage { id body createdAt deletedAt } } } }\n      }\n    }\n  }\n": typeof types.RoomsInOrderDocument,
    "query LastOutside($id: ID!) { room(id: $id) { name lastMessage { id } } }": typeof types.LastOutsideDocument,
    "query ActivityOutside($id: ID!) { room(id: $id) { lastActivityAt } }": typeof types.ActivityOutsideDocument,
    "\n  mutation MuteInOrder($roomId: ID!) { muteRoom(input: { roomId: $roomId, muted: true }) { membership { id } } }\n": typeof types.MuteInOrderDocument,
    "\n  mutation MarkAllRoomsRead { markAllRoomsRead { unread { total rooms { unreadCount } } } }\n": typeof types.MarkAllRoomsReadDocument,
    "\n  mutation MarkRoomUnread($messageId: ID!) {\n    markRoomUnread(input: { messageId: $messageId }) { membership { unreadCount } }\n  }\n": typeof types.MarkRoomUnreadDocument,
    "\n  mutation MuteRoom($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { muted unreadCount } }\n  }\n": typeof types.MuteRoomDocument,
    "\n  query ExplainUnread($roomId: ID!) {\n    room(id: $roomId) { explainUnread { id position body } viewerMembership { unreadCount } }\n  }\n": typeof types.ExplainUnreadDocument,
    "\n  mutation BlockSearched($userId: ID!) { blockUser(input: { userId: $userId }) { user { id } } }\n": typeof types.BlockSearchedDocument,
    "\n  mutation BlockUser($input: BlockUserInput!) { blockUser(input: $input) { user { id handle } } }\n": typeof types.BlockUserDocument,
    "\n  mutation UnblockUser($input: BlockUserInput!) { unblockUser(input: $input) { user { id handle } } }\n": typeof types.UnblockUserDocument,
    "\n  query BlockedUsers($first: Int, $after: String) {\n    viewer {\n      blockedUsers(first: $first, after: $after) {\n        edges { node { id } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.BlockedUsersDocument,
    "\n  mutation MentionsOf($input: SendMessageInput!) {\n    sendMessage(input: $input) { message { id body mentions { handle } } }\n  }\n": typeof types.MentionsOfDocument,
    "\n  query SearchUsers($prefix: String!, $first: Int, $after: String) {\n    searchUsers(prefix: $prefix, first: $first, after: $after) {\n      edges { cursor node { id handle } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": typeof types.SearchUsersDocument,
    "\n  query SearchMembers($roomId: ID!, $prefix: String!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      searchMembers(prefix: $prefix, first: $first, after: $after) {\n        edges { cursor node { id role user { handle } unreadCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": typeof types.SearchMembersDocument,
    "\n  mutation SetZone($timeZone: String) {\n    updateProfile(input: { timeZone: $timeZone }) { user { id timeZone } }\n  }\n": typeof types.SetZoneDocument,
    "query ZoneOf($handle: String!) { user(handle: $handle) { timeZone } }": typeof types.ZoneOfDocument,
};
const documents: Documents = {
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }\n": types.DeleteAccountDocument,
    "\n  query ProfileOf($id: ID!) {\n    node(id: $id) { ... on User { id handle displayName avatarUrl isFormer } }\n  }\n": types.ProfileOfDocument,
    "\n  query AuthorsOf($roomId: ID!) {\n    room(id: $roomId) {\n      memberCount\n      messages(last: 10) { edges { node { body likeCount author { id isFormer displayName } } } }\n      members(first: 10) { edges { node { role user { id } } } }\n    }\n  }\n": types.AuthorsOfDocument,
    "\n  query BellTexts { viewer { notifications(first: 10) { edges { node { kind text } } } } }\n": types.BellTextsDocument,
    "\n  subscription ExemplarEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.ExemplarEventsDocument,
    "\n  subscription LateEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.LateEventsDocument,
    "\n  subscription MetricsEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.MetricsEventsDocument,
    "\n  subscription TracedEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.TracedEventsDocument,
    "\n  query DecidedDeliveries {\n    viewer { id deliveries(first: 50) { edges { node { id kinds outcome decidedAt } } } }\n  }\n": types.DecidedDeliveriesDocument,
    "\n  mutation WaitForReplies($seconds: Int!) {\n    updateDeliverySettings(input: { kinds: [{ kind: REPLY, delaySeconds: $seconds }] }) { settings { hideText } }\n  }\n": types.WaitForRepliesDocument,
    "\n  query DeliverySettings {\n    viewer {\n      deliverySettings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        pausedUntil\n        hideText\n      }\n    }\n  }\n": types.DeliverySettingsDocument,
    "\n  mutation UpdateDeliverySettings($input: UpdateDeliverySettingsInput!) {\n    updateDeliverySettings(input: $input) {\n      settings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        hideText\n      }\n    }\n  }\n": types.UpdateDeliverySettingsDocument,
    "\n  mutation PauseDeliveries($until: DateTime) {\n    pauseDeliveries(input: { until: $until }) { settings { pausedUntil } }\n  }\n": types.PauseDeliveriesDocument,
    "\n  mutation SetRoomDelivery($input: SetRoomDeliveryInput!) {\n    setRoomDelivery(input: $input) { membership { delivery muted } }\n  }\n": types.SetRoomDeliveryDocument,
    "\n  mutation DeliveryRoom { createRoom(input: { name: \"Lunch\", visibility: PUBLIC }) { room { id } } }\n": types.DeliveryRoomDocument,
    "\n  query EmailSettings {\n    viewer { deliverySettings { emailDigest email emailRefusedAt sendsEmail } }\n  }\n": types.EmailSettingsDocument,
    "\n  mutation ChooseDigest($emailDigest: EmailDigest, $hideText: Boolean) {\n    updateDeliverySettings(input: { emailDigest: $emailDigest, hideText: $hideText }) {\n      settings { emailDigest email }\n    }\n  }\n": types.ChooseDigestDocument,
    "\n  query EmailAttempts {\n    viewer { deliveries(first: 5) { edges { node { kinds outcome attempts { channel outcome } } } } }\n  }\n": types.EmailAttemptsDocument,
    "\n  mutation RegisterPush($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id label createdAt lastUsedAt } }\n  }\n": types.RegisterPushDocument,
    "\n  mutation RemovePush($id: ID!) {\n    removePushSubscription(input: { pushSubscriptionId: $id }) { deletedPushSubscriptionId }\n  }\n": types.RemovePushDocument,
    "\n  mutation TestDelivery($channel: DeliveryChannel!) {\n    testDelivery(input: { channel: $channel }) { delivery { id kinds outcome attempts { channel } } }\n  }\n": types.TestDeliveryDocument,
    "\n  query PushSubscriptions { viewer { pushSubscriptions { id } } }\n": types.PushSubscriptionsDocument,
    "\n  query Deliveries { viewer { deliveries(first: 10) { edges { node { id outcome } } } } }\n": types.DeliveriesDocument,
    "\n  query OwnDeliveries {\n    webPushPublicKey\n    viewer {\n      pushSubscriptions { id label lastUsedAt }\n      deliveries(first: 5) {\n        edges { node { id kinds rooms { id } text outcome attempts { channel outcome at } dueAt decidedAt } }\n      }\n    }\n  }\n": types.OwnDeliveriesDocument,
    "query CostMe { viewer { user { id } } }": types.CostMeDocument,
    "\n  mutation CostRename($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }\n": types.CostRenameDocument,
    "mutation CostSignOut { signOutEverywhere { user { id } } }": types.CostSignOutDocument,
    "query CostByHandle($handle: String!) { user(handle: $handle) { id } }": types.CostByHandleDocument,
    "\n  query CostSearchMembers($roomId: ID!, $prefix: String!) {\n    room(id: $roomId) { searchMembers(prefix: $prefix, first: 10) { edges { node { user { handle } } } } }\n  }\n": types.CostSearchMembersDocument,
    "query CostNode($id: ID!) { node(id: $id) { id } }": types.CostNodeDocument,
    "query CostNodes($ids: [ID!]!) { nodes(ids: $ids) { id } }": types.CostNodesDocument,
    "\n  mutation CostCreateRoom($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }\n": types.CostCreateRoomDocument,
    "\n  mutation CostJoin($roomId: ID!) { joinRoom(input: { roomId: $roomId }) { membership { id } } }\n": types.CostJoinDocument,
    "\n  mutation CostLeave($roomId: ID!) { leaveRoom(input: { roomId: $roomId }) { deletedMembershipId } }\n": types.CostLeaveDocument,
    "\n  mutation CostDeleteAccount($confirm: String!) {\n    deleteAccount(input: { confirm: $confirm, eraseMessages: false }) { deletedUserId }\n  }\n": types.CostDeleteAccountDocument,
    "\n  mutation CostDeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n": types.CostDeleteRoomDocument,
    "\n  mutation CostUpdateRoom($input: UpdateRoomInput!) { updateRoom(input: $input) { room { id } } }\n": types.CostUpdateRoomDocument,
    "\n  mutation CostAdd($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id } }\n  }\n": types.CostAddDocument,
    "\n  mutation CostRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id } }\n  }\n": types.CostRoleDocument,
    "\n  mutation CostRemove($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n": types.CostRemoveDocument,
    "\n  mutation CostBan($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n": types.CostBanDocument,
    "\n  mutation CostUnban($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { name } }\n  }\n": types.CostUnbanDocument,
    "\n  mutation CostWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { membership { id } }\n  }\n": types.CostWaitDocument,
    "\n  mutation CostWaitEdge($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { waitlistEdge { cursor since node { name } } }\n  }\n": types.CostWaitEdgeDocument,
    "query CostPosition($roomId: ID!) { room(id: $roomId) { waitlistPosition } }": types.CostPositionDocument,
    "\n  mutation CostInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code invite { id } } }\n": types.CostInviteDocument,
    "\n  mutation CostComeIn($code: String!) { joinWithInvite(input: { code: $code }) { membership { id } } }\n": types.CostComeInDocument,
    "\n  mutation CostRevoke($inviteId: ID!) { revokeInvite(input: { inviteId: $inviteId }) { deletedInviteId } }\n": types.CostRevokeDocument,
    "\n  mutation CostDirect($userIds: [ID!]!) { openDirectRoom(input: { userIds: $userIds }) { room { id } } }\n": types.CostDirectDocument,
    "\n  query CostRoom($roomId: ID!) { room(id: $roomId) { name memberCount viewerMembership { unreadCount } } }\n": types.CostRoomDocument,
    "\n  query CostDirectory { rooms(first: 10) { edges { node { name memberCount } } } }\n": types.CostDirectoryDocument,
    "query CostPeople($roomId: ID!) { room(id: $roomId) { people { displayName } } }": types.CostPeopleDocument,
    "\n  query CostMembers($roomId: ID!) { room(id: $roomId) { members(first: 10) { edges { node { user { displayName } } } } } }\n": types.CostMembersDocument,
    "\n  query CostMemberships { viewer { memberships(first: 10) { edges { node { role } } } } }\n": types.CostMembershipsDocument,
    "\n  query CostJoined { viewer { memberships(first: 10, orderBy: JOINED) { edges { node { role } } } } }\n": types.CostJoinedDocument,
    "\n  query CostLastMessage($roomId: ID!) { room(id: $roomId) { lastActivityAt lastMessage { body } } }\n": types.CostLastMessageDocument,
    "\n  mutation CostSend($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }\n": types.CostSendDocument,
    "\n  mutation CostEdit($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id } }\n  }\n": types.CostEditDocument,
    "\n  mutation CostDelete($messageId: ID!) { deleteMessage(input: { messageId: $messageId }) { message { id } } }\n": types.CostDeleteDocument,
    "\n  query CostTimeline($roomId: ID!, $last: Int, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) { edges { node { body } } pageInfo { startCursor } }\n    }\n  }\n": types.CostTimelineDocument,
    "\n  query CostAuthors($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { body author { displayName } } } } }\n  }\n": types.CostAuthorsDocument,
    "\n  query CostAround($roomId: ID!, $around: ID!) {\n    room(id: $roomId) { messages(first: 10, around: $around) { edges { node { body } } } }\n  }\n": types.CostAroundDocument,
    "\n  query CostFrom($roomId: ID!, $from: DateTime!) {\n    room(id: $roomId) { messages(first: 10, from: $from) { edges { node { body } } } }\n  }\n": types.CostFromDocument,
    "\n  query CostThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads(last: 10) {\n        edges { node { root { body } replies { body } hasMoreReplies stamps { stamp { key } } } }\n      }\n    }\n  }\n": types.CostThreadsDocument,
    "\n  query CostThread($id: ID!) {\n    node(id: $id) { ... on Message { body replies(last: 10) { edges { node { body } } } } }\n  }\n": types.CostThreadDocument,
    "\n  query CostUnread { viewer { unread { total rooms { unreadCount room { name } } } } }\n": types.CostUnreadDocument,
    "query CostExplain($roomId: ID!) { room(id: $roomId) { explainUnread { body } } }": types.CostExplainDocument,
    "\n  mutation CostRead($input: MarkRoomReadInput!) { markRoomRead(input: $input) { membership { id } } }\n": types.CostReadDocument,
    "\n  mutation CostReadAll { markAllRoomsRead { unread { total } } }\n": types.CostReadAllDocument,
    "\n  mutation CostReadBack($messageId: ID!) { markRoomUnread(input: { messageId: $messageId }) { membership { id } } }\n": types.CostReadBackDocument,
    "\n  mutation CostMute($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { id } }\n  }\n": types.CostMuteDocument,
    "\n  mutation CostArrange($roomId: ID!) {\n    arrangeRoom(input: { roomId: $roomId, section: \"Work\", starred: true }) { membership { id } }\n  }\n": types.CostArrangeDocument,
    "\n  mutation CostRoomDelivery($roomId: ID!, $delivery: RoomDelivery!) {\n    setRoomDelivery(input: { roomId: $roomId, delivery: $delivery }) { membership { id } }\n  }\n": types.CostRoomDeliveryDocument,
    "\n  mutation CostDeliverySettings($hideText: Boolean!) {\n    updateDeliverySettings(input: { hideText: $hideText }) { settings { hideText } }\n  }\n": types.CostDeliverySettingsDocument,
    "\n  mutation CostPause($until: DateTime!) { pauseDeliveries(input: { until: $until }) { settings { hideText } } }\n": types.CostPauseDocument,
    "\n  query CostReadDeliverySettings { viewer { deliverySettings { hideText kinds { kind } } } }\n": types.CostReadDeliverySettingsDocument,
    "\n  mutation CostStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) { messageStamp { id } }\n  }\n": types.CostStampDocument,
    "\n  mutation CostUnstamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) { deletedMessageStampId }\n  }\n": types.CostUnstampDocument,
    "query CostCatalogue { stamps { key label } }": types.CostCatalogueDocument,
    "\n  query CostStamps($id: ID!) {\n    node(id: $id) { ... on Message { stamps(first: 10) { edges { node { createdAt } } } } }\n  }\n": types.CostStampsDocument,
    "\n  query CostCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { stampCounts { count viewerHasStamped } } } } }\n  }\n": types.CostCountsDocument,
    "\n  mutation CostLike($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n": types.CostLikeDocument,
    "\n  mutation CostLikeEdges($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { likeCount viewerHasLiked } likedMessageEdge { cursor } likerEdge { cursor }\n    }\n  }\n": types.CostLikeEdgesDocument,
    "\n  mutation CostUnlike($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n": types.CostUnlikeDocument,
    "\n  query CostLikers($id: ID!) {\n    node(id: $id) { ... on Message { likers(first: 10) { edges { node { displayName } } } } }\n  }\n": types.CostLikersDocument,
    "\n  query CostWhole($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) {\n        edges {\n          node {\n            body author { displayName } replyCount lastReplyAt participants { displayName }\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped }\n          }\n        }\n      }\n    }\n  }\n": types.CostWholeDocument,
    "\n  mutation CostTyping($roomId: ID!) { setTyping(input: { roomId: $roomId, typing: true }) { room { name } } }\n": types.CostTypingDocument,
    "subscription CostBadge { unread { total rooms { unreadCount room { name } } } }": types.CostBadgeDocument,
    "\n  subscription CostEvents($roomId: ID!, $after: String) { roomEvents(roomId: $roomId, after: $after) { __typename cursor } }\n": types.CostEventsDocument,
    "query CostCursor($roomId: ID!) { room(id: $roomId) { eventsCursor } }": types.CostCursorDocument,
    "\n  query CostNotifications($unreadOnly: Boolean) {\n    viewer { notifications(first: 10, unreadOnly: $unreadOnly) { edges { node { kind actorCount readAt } } } }\n  }\n": types.CostNotificationsDocument,
    "\n  query CostNotificationTexts {\n    viewer { notifications(first: 10) { edges { node { text message { body } } } } }\n  }\n": types.CostNotificationTextsDocument,
    "\n  query CostNotification($id: ID!) { node(id: $id) { ... on Notification { actorCount readAt } } }\n": types.CostNotificationDocument,
    "\n  subscription CostNotificationChanged { notificationChanged { notification { actorCount readAt } } }\n": types.CostNotificationChangedDocument,
    "\n  mutation CostMarkNotifications($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) { notifications { readAt } }\n  }\n": types.CostMarkNotificationsDocument,
    "\n  mutation CostReadThread($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { message { body } } }\n": types.CostReadThreadDocument,
    "\n  query CostFollowedThreads($unreadOnly: Boolean) {\n    viewer { threads(first: 10, unreadOnly: $unreadOnly) { edges { node { root { body } viewerIsFollowing hasUnread } } } }\n  }\n": types.CostFollowedThreadsDocument,
    "\n  mutation CostUnfollow($messageId: ID!) { unfollowThread(input: { messageId: $messageId }) { message { body } } }\n": types.CostUnfollowDocument,
    "\n  mutation CostFollow($messageId: ID!) { followThread(input: { messageId: $messageId }) { message { body } } }\n": types.CostFollowDocument,
    "\n  mutation CostFollowEdge($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { body } threadEdge { cursor node { root { body } } } }\n  }\n": types.CostFollowEdgeDocument,
    "\n  query CostFollowing($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerIsFollowing } } } }\n  }\n": types.CostFollowingDocument,
    "\n  query CostSaved(\n    $visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean\n    $orderBy: SavedOrder, $from: DateTime\n    $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility, tags: $tags, tagIds: $tagIds, untagged: $untagged, orderBy: $orderBy, from: $from\n        first: $first, after: $after, last: $last, before: $before\n      ) {\n        edges { node { note tags savedAt message { body createdAt } } }\n        pageInfo { startCursor endCursor hasNextPage hasPreviousPage }\n      }\n    }\n  }\n": types.CostSavedDocument,
    "\n  query CostSavedMessage($id: ID!) { node(id: $id) { ... on SavedMessage { note tags message { body } } } }\n": types.CostSavedMessageDocument,
    "\n  query CostSavedTags($prefix: String, $orderBy: SavedTagOrder) {\n    viewer { savedTags(prefix: $prefix, orderBy: $orderBy, first: 2) { edges { node { name count } } } }\n  }\n": types.CostSavedTagsDocument,
    "\n  query CostLastSavedTags { viewer { savedTags(last: 2) { edges { node { name count } } } } }\n": types.CostLastSavedTagsDocument,
    "\n  query CostPublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: 10) { edges { node { note tags message { body } } } }\n      }\n    }\n  }\n": types.CostPublicSavedDocument,
    "\n  query CostPublicTags($id: ID!) {\n    node(id: $id) { ... on User { savedTags(first: 2) { edges { node { name count } } } } }\n  }\n": types.CostPublicTagsDocument,
    "\n  query CostPublicSaves($id: ID!) {\n    node(id: $id) { ... on Message { publicSaves(first: 10) { edges { node { note savedBy { handle } } } } } }\n  }\n": types.CostPublicSavesDocument,
    "\n  query CostPublicSaveCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { publicSaveCount } } } }\n  }\n": types.CostPublicSaveCountsDocument,
    "query CostSavedCounts { viewer { savedCounts { total untagged } } }": types.CostSavedCountsDocument,
    "\n  query CostReminders { viewer { reminders(first: 10) { edges { node { remindAt tags message { body } } } } } }\n": types.CostRemindersDocument,
    "\n  query CostSavedMarks($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note } } } } }\n  }\n": types.CostSavedMarksDocument,
    "\n  query CostSavedMarksWithTags($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note tags } } } } }\n  }\n": types.CostSavedMarksWithTagsDocument,
    "\n  mutation CostSave($input: SaveMessageInput!) { saveMessage(input: $input) { savedMessage { note } } }\n": types.CostSaveDocument,
    "\n  mutation CostUnsave($messageId: ID!) {\n    removeSavedMessage(input: { messageId: $messageId }) { removed { note tags } }\n  }\n": types.CostUnsaveDocument,
    "\n  query CostJobs { viewer { jobs(first: 10) { edges { node { state done text remainingSeconds } } } } }\n": types.CostJobsDocument,
    "subscription CostSavedChanged { savedChanged { counts { total } } }": types.CostSavedChangedDocument,
    "\n  query CostWaitlists { viewer { waitlists(first: 10) { edges { position node { name } } } } }\n": types.CostWaitlistsDocument,
    "\n  mutation CostWaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) { membership { id } }\n  }\n": types.CostWaitWithInviteDocument,
    "\n  mutation OwnEdgeSaved($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessageEdge { cursor node { id } }\n      reminderEdge { cursor node { id remindAt } }\n    }\n  }\n": types.OwnEdgeSavedDocument,
    "\n  mutation OwnEdgeSnoozed($input: SnoozeReminderInput!) {\n    snoozeReminder(input: $input) { reminderEdge { cursor node { id remindAt } } }\n  }\n": types.OwnEdgeSnoozedDocument,
    "\n  mutation OwnEdgeScheduled($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessageEdge { cursor node { id } } }\n  }\n": types.OwnEdgeScheduledDocument,
    "\n  mutation OwnEdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likedMessageEdge { cursor node { id } } }\n  }\n": types.OwnEdgeLikedDocument,
    "\n  mutation OwnEdgeFollowed($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) {\n      threadEdge { cursor node { root { id } replies { id } viewerIsFollowing } }\n    }\n  }\n": types.OwnEdgeFollowedDocument,
    "\n  mutation OwnEdgeJoined($input: JoinRoomInput!) {\n    joinRoom(input: $input) { membershipEdge { cursor } waitlistEdge { cursor position since node { id } } }\n  }\n": types.OwnEdgeJoinedDocument,
    "\n  mutation OwnEdgeInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n": types.OwnEdgeInviteDocument,
    "\n  mutation OwnEdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      waitlistEdge { cursor position since node { id } }\n    }\n  }\n": types.OwnEdgeAcceptedDocument,
    "\n  mutation OwnEdgePublished($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": types.OwnEdgePublishedDocument,
    "\n  mutation OwnEdgeRenamed($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id } jobEdge { cursor node { id kind } } }\n  }\n": types.OwnEdgeRenamedDocument,
    "\n  mutation OwnEdgeMerged($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": types.OwnEdgeMergedDocument,
    "\n  mutation OwnEdgeDeleted($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n": types.OwnEdgeDeletedDocument,
    "\n  mutation OwnEdgeBrowser($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id } }\n  }\n": types.OwnEdgeBrowserDocument,
    "\n  mutation OwnEdgeDelivery { testDelivery(input: { channel: WEB_PUSH }) { deliveryEdge { cursor node { id } } } }\n": types.OwnEdgeDeliveryDocument,
    "\n  query OwnEdgeLists {\n    viewer {\n      savedMessages { edges { cursor node { id } } }\n      reminders { edges { cursor node { id remindAt } } }\n      scheduledMessages { edges { cursor node { id } } }\n      likedMessages { edges { cursor node { id } } }\n      threads { edges { cursor node { root { id } replies { id } viewerIsFollowing } } }\n      waitlists { edges { cursor position since node { id } } }\n      jobs { edges { cursor node { id kind } } }\n      deliveries { edges { cursor node { id } } }\n      savedTags { edges { node { id name } } }\n    }\n  }\n": types.OwnEdgeListsDocument,
    "\n  mutation EdgeSent($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      messageEdge { cursor node { id } }\n      threadEdge { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } }\n    }\n  }\n": types.EdgeSentDocument,
    "\n  mutation EdgeStamped($messageId: ID!) {\n    addStamp(input: { messageId: $messageId, stamp: \"tea\" }) { messageStampEdge { cursor node { id } } }\n  }\n": types.EdgeStampedDocument,
    "\n  mutation EdgeAdded($input: AddMemberInput!) { addMember(input: $input) { membershipEdge { cursor node { id } } } }\n": types.EdgeAddedDocument,
    "\n  mutation EdgeInvited($roomId: ID!) { createInvite(input: { roomId: $roomId }) { inviteEdge { cursor node { id } } } }\n": types.EdgeInvitedDocument,
    "\n  mutation EdgeBanned($input: BanMemberInput!) { banMember(input: $input) { banEdge { cursor node { user { id } } } } }\n": types.EdgeBannedDocument,
    "\n  mutation EdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likerEdge { cursor node { id } } }\n  }\n": types.EdgeLikedDocument,
    "\n  mutation EdgeBlocked($userId: ID!) {\n    blockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n": types.EdgeBlockedDocument,
    "\n  mutation EdgeUnblocked($userId: ID!) {\n    unblockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n": types.EdgeUnblockedDocument,
    "\n  mutation EdgeCreated($visibility: RoomVisibility!) {\n    createRoom(input: { name: \"Room\", visibility: $visibility }) {\n      roomEdge { cursor node { id } }\n      membershipEdge { cursor node { id } }\n    }\n  }\n": types.EdgeCreatedDocument,
    "\n  mutation EdgeOpened($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) { membershipEdge { cursor node { id } } }\n  }\n": types.EdgeOpenedDocument,
    "\n  mutation EdgeJoined($input: JoinRoomInput!) { joinRoom(input: $input) { membershipEdge { cursor node { id } } } }\n": types.EdgeJoinedDocument,
    "\n  mutation EdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code }) { membershipEdge { cursor node { id } } }\n  }\n": types.EdgeAcceptedDocument,
    "\n  mutation EdgeCode($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n": types.EdgeCodeDocument,
    "\n  query EdgesOfRooms { rooms(first: 1) { edges { cursor node { id } } } }\n": types.EdgesOfRoomsDocument,
    "\n  query EdgesOfThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads { edges { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } } }\n    }\n  }\n": types.EdgesOfThreadsDocument,
    "\n  query EdgesOfViewer {\n    viewer {\n      memberships(orderBy: JOINED) { edges { cursor node { id own { unreadCount muted } unreadCount muted } } }\n      blockedUsers { edges { cursor node { id } } }\n    }\n  }\n": types.EdgesOfViewerDocument,
    "\n  query MoreEdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      bans { edges { cursor node { user { id } } } }\n      members { edges { node { user { id } own { unreadCount muted } } } }\n      messages { edges { node { likers { edges { cursor node { id } } } } } }\n    }\n  }\n": types.MoreEdgesListedDocument,
    "\n  query EdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      members { edges { cursor node { id } } }\n      invites { edges { cursor node { id } } }\n      messages {\n        edges {\n          cursor\n          node {\n            id\n            stamps { edges { cursor node { id } } }\n            replies { edges { cursor node { id } } }\n          }\n        }\n      }\n    }\n  }\n": types.EdgesListedDocument,
    "\n  mutation SendWithKey($input: SendMessageInput!) { sendMessage(input: $input) { message { id idempotencyKey } } }\n": types.SendWithKeyDocument,
    "query ReadKey($id: ID!) { node(id: $id) { ... on Message { idempotencyKey } } }": types.ReadKeyDocument,
    "\n  subscription KeysInEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageAdded { message { id body idempotencyKey viewerHasLiked } }\n    }\n  }\n": types.KeysInEventsDocument,
    "\n  query Answered($id: ID!) {\n    node(id: $id) { ... on Message { id inReplyTo { id body author { handle } } root { id } } }\n  }\n": types.AnsweredDocument,
    "\n  query Threads($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { replies(last: 10) { edges { node { body } } } } } } }\n  }\n": types.ThreadsDocument,
    "\n  query MessageById($id: ID!) {\n    node(id: $id) {\n      ... on Message { id body version editedAt deletedAt position replyCount mentions { id handle } }\n    }\n  }\n": types.MessageByIdDocument,
    "\n  mutation EditMessage($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id body editedAt version mentions { handle } } }\n  }\n": types.EditMessageDocument,
    "\n  mutation DeleteMessage($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) { message { id body deletedAt version replyCount } }\n  }\n": types.DeleteMessageDocument,
    "\n  query Around($roomId: ID!, $around: ID!, $first: Int) {\n    room(id: $roomId) {\n      messages(around: $around, first: $first) {\n        edges { cursor node { id body } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.AroundDocument,
    "\n  query From($roomId: ID!, $from: DateTime!, $first: Int, $after: String, $around: ID) {\n    room(id: $roomId) {\n      messages(from: $from, first: $first, after: $after, around: $around) {\n        edges { cursor node { id createdAt } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.FromDocument,
    "\n  query WrittenPage($roomId: ID!) {\n    room(id: $roomId) { messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } } }\n  }\n  fragment PageMessage on Message {\n    id version position body createdAt editedAt deletedAt url idempotencyKey replyCount lastReplyAt\n    likeCount viewerHasLiked\n    root { id }\n    inReplyTo { id }\n    author { ...PageUser }\n    participants { ...PageUser }\n    mentions { ...PageUser }\n    stampCounts { count viewerHasStamped stamp { key label imageUrl } }\n    replies(last: 5) { edges { node { id body viewerHasLiked author { ...PageUser } } } }\n  }\n  fragment PageUser on User { id handle displayName avatarUrl }\n": types.WrittenPageDocument,
    "\n  query ExecutedPage($roomId: ID!, $yes: Boolean!) {\n    room(id: $roomId) @include(if: $yes) {\n      messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } }\n    }\n  }\n": types.ExecutedPageDocument,
    "query MessageUrl($id: ID!) { node(id: $id) { ... on Message { url } } }": types.MessageUrlDocument,
    "\n  query Followed($first: Int, $after: String, $replies: Int, $unreadOnly: Boolean) {\n    viewer {\n      unread { total }\n      threads(first: $first, after: $after, replies: $replies, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges {\n          cursor\n          node {\n            root { body room { name } }\n            replies { body }\n            hasMoreReplies\n            stamps { stamp { key } }\n            viewerIsFollowing\n            hasUnread\n          }\n        }\n      }\n    }\n  }\n": types.FollowedDocument,
    "\n  mutation ReadFollowed($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { unread { total } } }\n": types.ReadFollowedDocument,
    "mutation ReadAllFollowed { markNotificationsRead(input: {}) { unread { total } } }": types.ReadAllFollowedDocument,
    "\n  query NotificationList($first: Int, $after: String, $unreadOnly: Boolean) {\n    viewer {\n      notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {\n        edges {\n          cursor\n          node { id kind text actorCount actors { handle } stamps { key } message { id body } latestReply { id } updatedAt readAt }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.NotificationListDocument,
    "\n  query NotificationById($id: ID!) {\n    node(id: $id) { ... on Notification { id kind text actorCount actors { handle } message { id } readAt } }\n  }\n": types.NotificationByIdDocument,
    "\n  mutation MarkNotificationsRead($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) {\n      notifications { id text readAt }\n      unread { total notifications }\n    }\n  }\n": types.MarkNotificationsReadDocument,
    "\n  subscription NotificationsLive {\n    notificationChanged {\n      notification { id kind text actorCount actors { handle } message { id } readAt }\n      removedId\n      unread { notifications }\n    }\n  }\n": types.NotificationsLiveDocument,
    "\n  mutation MarkThreadRead($messageId: ID!) {\n    markThreadRead(input: { messageId: $messageId }) { message { id } unread { total notifications } }\n  }\n": types.MarkThreadReadDocument,
    "\n  mutation FollowThread($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n": types.FollowThreadDocument,
    "\n  mutation UnfollowThread($messageId: ID!) {\n    unfollowThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n": types.UnfollowThreadDocument,
    "\n  query Following($id: ID!) { node(id: $id) { ... on Message { id viewerIsFollowing } } }\n": types.FollowingDocument,
    "\n  subscription AlertEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.AlertEventsDocument,
    "\n  subscription DashboardEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n": types.DashboardEventsDocument,
    "\n  query Arrival {\n    viewer { user { handle displayName } unread { total } }\n    rooms(first: 20) { edges { node { id name } } }\n  }\n": types.ArrivalDocument,
    "\n  mutation TwoMutations($roomId: ID!) {\n    failed: likeMessage(input: { messageId: \"x\" }) { message { id } }\n    sent: sendMessage(input: { roomId: $roomId, body: \"It is stored.\" }) { message { body } }\n  }\n": types.TwoMutationsDocument,
    "\n  subscription LikesLive($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount viewerHasLiked stampCounts { viewerHasStamped stamp { key } } } }\n    }\n  }\n": types.LikesLiveDocument,
    "\n  subscription LikesByCause($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount stampCounts { count } } cause { kind actor { id } } }\n    }\n  }\n": types.LikesByCauseDocument,
    "\n  query Liked($roomId: ID, $first: Int, $after: String, $last: Int, $before: String) {\n    viewer {\n      likedMessages(roomId: $roomId, first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body viewerHasLiked } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.LikedDocument,
    "\n  query CostLiked($roomId: ID) {\n    viewer { likedMessages(roomId: $roomId, first: 10) { edges { node { id body } } } }\n  }\n": types.CostLikedDocument,
    "\n  mutation LikeMessage($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n": types.LikeMessageDocument,
    "\n  mutation UnlikeMessage($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n": types.UnlikeMessageDocument,
    "\n  query LikesOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id version likeCount viewerHasLiked\n        likers(first: $first, after: $after) {\n          edges { cursor node { id handle } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.LikesOfDocument,
    "\n  query LikedPage($roomId: ID!, $last: Int!) {\n    room(id: $roomId) {\n      messages(last: $last) {\n        edges {\n          node {\n            id likeCount viewerHasLiked replyCount lastReplyAt\n            author { handle displayName avatarUrl }\n            participants { handle }\n            stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n      }\n    }\n  }\n": types.LikedPageDocument,
    "\n  query LikedOne($id: ID!) {\n    node(id: $id) { ... on Message { likeCount viewerHasLiked author { handle } } }\n  }\n": types.LikedOneDocument,
    "\n  query LikedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message { id likeCount viewerHasLiked replies { edges { node { id likeCount viewerHasLiked } } } }\n    }\n  }\n": types.LikedThreadDocument,
    "\n  query StampById($id: ID!) { node(id: $id) { ... on Stamp { id key label imageUrl emoji } } }\n": types.StampByIdDocument,
    "\n  query Catalogue { stamps { key label imageUrl emoji } }\n": types.CatalogueDocument,
    "\n  mutation AddStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) {\n      messageStamp {\n        id createdAt stamp { key label imageUrl emoji } user { id handle }\n        message { id version stampCounts { count viewerHasStamped stamp { key } } }\n      }\n    }\n  }\n": types.AddStampDocument,
    "\n  mutation RemoveStamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) {\n      deletedMessageStampId\n      message { id version stampCounts { count viewerHasStamped stamp { key } } }\n    }\n  }\n": types.RemoveStampDocument,
    "\n  mutation DeleteStamped($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) {\n      message { id deletedAt stampCounts { count } stamps { edges { node { id } } } }\n    }\n  }\n": types.DeleteStampedDocument,
    "\n  query StampsOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        stamps(first: $first, after: $after) {\n          edges { cursor node { id createdAt stamp { key } user { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.StampsOfDocument,
    "\n  query StampNode($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on MessageStamp { id createdAt stamp { key } user { handle } message { id } }\n    }\n  }\n": types.StampNodeDocument,
    "\n  query StampedPage($roomId: ID!, $last: Int!, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) {\n        edges { node { id stampCounts { count viewerHasStamped stamp { key } } } }\n        pageInfo { startCursor }\n      }\n    }\n  }\n": types.StampedPageDocument,
    "\n  query StampedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        replies { edges { node { id stampCounts { count viewerHasStamped stamp { key } } } } }\n      }\n    }\n  }\n": types.StampedThreadDocument,
    "\n  query MineBefore {\n    viewer {\n      id\n      user { handle displayName }\n      unread { total notifications rooms { unreadCount readPosition room { id name } } }\n      memberships(first: 20, orderBy: JOINED) { edges { node { id role unreadCount room { id name topic memberCount } } } }\n      notifications(first: 50) { edges { node { id kind actorCount readAt message { id body } } } }\n      savedMessages(first: 20) { edges { node { id visibility note tags message { id body } } } }\n      likedMessages(first: 50) { edges { node { id body } } }\n    }\n  }\n": types.MineBeforeDocument,
    "\n  query RoomBefore($roomId: ID!) {\n    room(id: $roomId) {\n      id\n      members(first: 10) { edges { node { role unreadCount user { handle } } } }\n      messages(last: 50) {\n        edges {\n          cursor\n          node {\n            id body createdAt editedAt deletedAt version position author { handle } mentions { handle }\n            replyCount lastReplyAt participants { handle } viewerIsFollowing\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n        pageInfo { hasPreviousPage hasNextPage }\n      }\n    }\n  }\n": types.RoomBeforeDocument,
    "\n  query ThreadBefore($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        likers(first: 10) { edges { node { handle } } }\n        stamps(first: 10) { edges { node { id createdAt stamp { key } user { handle } } } }\n        replies(first: 20) {\n          edges { cursor node { id body version editedAt author { handle } likeCount inReplyTo { id } } }\n        }\n      }\n    }\n  }\n": types.ThreadBeforeDocument,
    "\n  query FirstOwnRoom($after: String) {\n    viewer {\n      memberships(first: 1, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }\n    }\n  }\n": types.FirstOwnRoomDocument,
    "\n  mutation DeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n": types.DeleteRoomDocument,
    "\n  subscription Causes($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { id version } cause { kind actor { handle } stamp { key } } }\n    }\n  }\n": types.CausesDocument,
    "\n  fragment WholeMessage on Message {\n    id version body editedAt deletedAt position replyCount lastReplyAt\n    author { handle }\n    root { id }\n    participants { handle }\n    mentions { handle }\n    likeCount viewerHasLiked\n    stampCounts { count viewerHasStamped stamp { key } }\n  }\n": types.WholeMessageFragmentDoc,
    "\n  query WholeRoom($roomId: ID!, $after: String) {\n    room(id: $roomId) {\n      eventsCursor\n      name\n      memberCount\n      viewerMembership { user { handle } }\n      members(first: 100) { edges { node { role user { handle } } } }\n      messages(first: 100, after: $after) {\n        edges { node { ...WholeMessage replies(first: 100) { edges { node { ...WholeMessage } } } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.WholeRoomDocument,
    "\n  subscription WholeEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { name memberCount }\n      ... on MessageAdded { message { ...WholeMessage } }\n      ... on MessageChanged { message { ...WholeMessage } cause { kind actor { handle } stamp { key } } }\n      ... on MembershipChanged { user { handle } membership { role } }\n    }\n  }\n": types.WholeEventsDocument,
    "\n  subscription RoomEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { id name memberCount capacity }\n      ... on MessageAdded { message { id body version position deletedAt root { id } } }\n      ... on MessageChanged { message { id body version position deletedAt replyCount } }\n      ... on MembershipChanged { user { handle } membership { role } }\n      ... on TypingChanged { users { handle } }\n    }\n  }\n": types.RoomEventsDocument,
    "\n  subscription MembershipEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      ... on MembershipChanged { user { handle } membership { muted unreadCount } }\n    }\n  }\n": types.MembershipEventsDocument,
    "\n  query EventsCursor($roomId: ID!) {\n    room(id: $roomId) { eventsCursor messages(last: 100) { edges { node { id body version position deletedAt replyCount } } } }\n  }\n": types.EventsCursorDocument,
    "\n  query CursorOnly($roomId: ID!) { room(id: $roomId) { id eventsCursor } }\n": types.CursorOnlyDocument,
    "\n  mutation SetTyping($roomId: ID!, $typing: Boolean!) {\n    setTyping(input: { roomId: $roomId, typing: $typing }) { room { id } }\n  }\n": types.SetTypingDocument,
    "\n  subscription OpenedRoom($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      cursor\n      room { name viewerMembership { role user { handle } } }\n    }\n  }\n": types.OpenedRoomDocument,
    "\n  mutation Arrange($input: ArrangeRoomInput!) {\n    arrangeRoom(input: $input) { membership { id section starred } }\n  }\n": types.ArrangeDocument,
    "\n  query Arrangement($roomId: ID!) {\n    viewer { memberships(first: 10) { edges { node { section starred room { id } } } } }\n    room(id: $roomId) {\n      viewerMembership { section starred }\n      members(first: 10) { edges { node { user { id } section starred } } }\n    }\n  }\n": types.ArrangementDocument,
    "\n  mutation WaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      membership { id }\n      room { id name topic visibility capacity memberCount waitingCount waitlistPosition viewerMembership { id } }\n    }\n  }\n": types.WaitWithInviteDocument,
    "\n  query Waits($first: Int, $after: String) {\n    viewer {\n      waitlists(first: $first, after: $after) {\n        edges { cursor position since node { id name } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.WaitsDocument,
    "query SeenRoom($id: ID!) { room(id: $id) { name topic memberCount waitlistPosition } }": types.SeenRoomDocument,
    "\n  query Bans($roomId: ID!) {\n    room(id: $roomId) { bans(first: 10) { edges { node { user { id } bannedBy { id } createdAt } } } }\n  }\n": types.BansDocument,
    "\n  mutation CreateInvite($input: CreateInviteInput!) {\n    createInvite(input: $input) {\n      code\n      invite { id room { id } createdBy { handle } createdAt expiresAt maxUses uses }\n    }\n  }\n": types.CreateInviteDocument,
    "\n  mutation JoinWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code }) { membership { id role room { id name } } }\n  }\n": types.JoinWithInviteDocument,
    "\n  mutation RevokeInvite($inviteId: ID!) {\n    revokeInvite(input: { inviteId: $inviteId }) { room { id } deletedInviteId }\n  }\n": types.RevokeInviteDocument,
    "\n  query Invites($roomId: ID!) {\n    room(id: $roomId) { invites(first: 10) { edges { node { id uses maxUses } } } }\n  }\n": types.InvitesDocument,
    "\n  mutation OpenDirectRoom($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) {\n      room { id name visibility memberCount capacity viewerMembership { role } }\n    }\n  }\n": types.OpenDirectRoomDocument,
    "\n  query PeopleOf($id: ID!) { room(id: $id) { people { handle } } }\n": types.PeopleOfDocument,
    "\n  mutation JoinOrWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) {\n      membership { id role }\n      room { memberCount waitingCount waitlistPosition }\n    }\n  }\n": types.JoinOrWaitDocument,
    "\n  query Waitlist($id: ID!) {\n    room(id: $id) { memberCount capacity waitingCount waitlistPosition viewerMembership { role } }\n  }\n": types.WaitlistDocument,
    "\n  query OwnRooms { viewer { memberships(first: 50) { edges { node { room { id } } } } } }\n": types.OwnRoomsDocument,
    "\n  query NotificationRooms {\n    viewer {\n      notifications(first: 20) {\n        edges { node { id kind text actorCount actors { handle } room { id name } message { id } readAt } }\n      }\n    }\n  }\n": types.NotificationRoomsDocument,
    "query OwnIdOfSaver { viewer { id } }": types.OwnIdOfSaverDocument,
    "\n  mutation SaveMessage($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessage { id visibility note tags remindAt version savedAt savedBy { id } message { id body } }\n    }\n  }\n": types.SaveMessageDocument,
    "\n  mutation RemoveSavedMessage($input: RemoveSavedMessageInput!) {\n    removeSavedMessage(input: $input) { removed { id visibility note tags remindAt } message { id } }\n  }\n": types.RemoveSavedMessageDocument,
    "\n  query SavedMessages(\n    $visibility: SavedVisibility\n    $tags: [String!]\n    $tagIds: [ID!]\n    $untagged: Boolean\n    $orderBy: SavedOrder\n    $from: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility\n        tags: $tags\n        tagIds: $tagIds\n        untagged: $untagged\n        orderBy: $orderBy\n        from: $from\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id visibility note tags version savedAt message { id body } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.SavedMessagesDocument,
    "\n  query SavedCounts { viewer { savedCounts { total public private untagged } } }\n": types.SavedCountsDocument,
    "\n  query SavedMarks($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) { edges { node { id viewerHasLiked viewerSaved { id tags visibility } } } }\n    }\n  }\n": types.SavedMarksDocument,
    "\n  query SavedNode($id: ID!) {\n    node(id: $id) { ... on SavedMessage { id version visibility note tags remindAt savedBy { id } message { id } } }\n  }\n": types.SavedNodeDocument,
    "\n  mutation SnoozeReminder($id: ID!, $remindAt: DateTime!) {\n    snoozeReminder(input: { savedMessageId: $id, remindAt: $remindAt }) { savedMessage { id remindAt version } }\n  }\n": types.SnoozeReminderDocument,
    "\n  query Reminders($first: Int, $after: String) {\n    viewer {\n      reminders(first: $first, after: $after) {\n        edges { node { id remindAt tags message { id } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.RemindersDocument,
    "\n  query SavedTags(\n    $prefix: String\n    $orderBy: SavedTagOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedTags(\n        prefix: $prefix\n        orderBy: $orderBy\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id name count publicCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.SavedTagsDocument,
    "\n  query SavedTagNode($id: ID!) { node(id: $id) { ... on SavedTag { id name count publicCount } } }\n": types.SavedTagNodeDocument,
    "\n  subscription SavedChanged {\n    savedChanged {\n      savedMessage { id note tags version visibility message { id body } }\n      removedId\n      version\n      counts { total public private untagged }\n    }\n  }\n": types.SavedChangedDocument,
    "\n  mutation RenameSavedTag($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id name count publicCount } job { id kind state text } }\n  }\n": types.RenameSavedTagDocument,
    "\n  mutation MergeSavedTags($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { job { id kind state done total text failure finishedAt } }\n  }\n": types.MergeSavedTagsDocument,
    "\n  mutation DeleteSavedTag($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { job { id kind state done total text } }\n  }\n": types.DeleteSavedTagDocument,
    "\n  mutation SetVisibilityOfTagged($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { job { id kind state done total text } }\n  }\n": types.SetVisibilityOfTaggedDocument,
    "\n  mutation CancelJob($input: CancelJobInput!) { cancelJob(input: $input) { job { id state } } }\n": types.CancelJobDocument,
    "\n  query Jobs($first: Int, $after: String) {\n    viewer {\n      jobs(first: $first, after: $after) {\n        edges { node { id kind state done total remainingSeconds failure failureReason createdAt } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.JobsDocument,
    "\n  subscription JobChanged($jobId: ID!) { jobChanged(jobId: $jobId) { id state done total } }\n": types.JobChangedDocument,
    "query JobNode($id: ID!) { node(id: $id) { ... on Job { id state done } } }": types.JobNodeDocument,
    "\n  query PublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: $first, after: $after) {\n          edges { cursor node { id note tags visibility savedBy { id } remindAt version message { id body } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.PublicSavedDocument,
    "\n  query PublicSavedTags($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedTags(first: $first, after: $after) {\n          edges { cursor node { name count } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.PublicSavedTagsDocument,
    "\n  query PublicSaves($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        version\n        publicSaveCount\n        publicSaves(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id note tags remindAt version savedBy { id } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.PublicSavesDocument,
    "\n  mutation Schedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) {\n      scheduledMessage { id room { id } body replyTo { id } sendAt failure failureReason version }\n    }\n  }\n": types.ScheduleDocument,
    "\n  mutation UpdateScheduled($input: UpdateScheduledMessageInput!) {\n    updateScheduledMessage(input: $input) { scheduledMessage { id body sendAt failure version } }\n  }\n": types.UpdateScheduledDocument,
    "\n  mutation CancelScheduled($id: ID!) {\n    cancelScheduledMessage(input: { scheduledMessageId: $id }) { cancelled { id body } }\n  }\n": types.CancelScheduledDocument,
    "\n  query ScheduledMessages($first: Int, $after: String) {\n    viewer {\n      scheduledMessages(first: $first, after: $after) {\n        edges {\n          cursor\n          node { id room { id } body replyTo { id } sendAt failure failureReason version }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.ScheduledMessagesDocument,
    "\n  query ScheduledNode($id: ID!) { node(id: $id) { ... on ScheduledMessage { id body } } }\n": types.ScheduledNodeDocument,
    "\n  query SentTo($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 50) { edges { node { id body idempotencyKey author { id } mentions { id } replyCount replies { edges { node { body } } } } } }\n    }\n  }\n": types.SentToDocument,
    "\n  query CostScheduled { viewer { scheduledMessages(first: 10) { edges { node { id sendAt body } } } } }\n": types.CostScheduledDocument,
    "\n  mutation CostSchedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessage { id } }\n  }\n": types.CostScheduleDocument,
    "\n  mutation CreateRoom($input: CreateRoomInput!) {\n    createRoom(input: $input) { room { id name topic visibility capacity memberCount viewerMembership { id role } } }\n  }\n": types.CreateRoomDocument,
    "\n  mutation JoinRoom($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId }) { membership { id role unreadCount user { id handle } } }\n  }\n": types.JoinRoomDocument,
    "\n  mutation LeaveRoom($roomId: ID!) {\n    leaveRoom(input: { roomId: $roomId }) { room { id memberCount } deletedMembershipId }\n  }\n": types.LeaveRoomDocument,
    "\n  mutation UpdateRoom($input: UpdateRoomInput!) {\n    updateRoom(input: $input) { room { id name topic capacity memberCount } }\n  }\n": types.UpdateRoomDocument,
    "\n  mutation AddMember($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id role muted user { id } } }\n  }\n": types.AddMemberDocument,
    "\n  mutation RemoveMember($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { room { id memberCount } deletedMembershipId }\n  }\n": types.RemoveMemberDocument,
    "\n  mutation SetMemberRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id role muted } }\n  }\n": types.SetMemberRoleDocument,
    "\n  mutation BanMember($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) {\n      room { id memberCount } user { id } deletedMembershipId\n    }\n  }\n": types.BanMemberDocument,
    "\n  mutation UnbanMember($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { id } user { id } }\n  }\n": types.UnbanMemberDocument,
    "\n  mutation SendMessage($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      message { id body createdAt version position author { id handle } root { id } replyCount }\n    }\n  }\n": types.SendMessageDocument,
    "\n  mutation MarkRoomRead($input: MarkRoomReadInput!) {\n    markRoomRead(input: $input) { membership { id unreadCount } }\n  }\n": types.MarkRoomReadDocument,
    "\n  query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    room(id: $roomId) {\n      id\n      messages(first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body position version replyCount author { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.TimelineDocument,
    "\n  query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        id replyCount lastReplyAt participants { handle }\n        replies(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id body createdAt root { id } author { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n": types.ThreadDocument,
    "\n  query UnreadNow {\n    viewer { id unread { total notifications rooms { unreadCount room { id name } } } }\n  }\n": types.UnreadNowDocument,
    "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount readPosition room { id name } membership { role } } }\n  }\n": types.UnreadLiveDocument,
    "\n  query Directory($first: Int, $after: String) {\n    rooms(first: $first, after: $after) {\n      edges { cursor node { id name topic visibility memberCount capacity } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": types.DirectoryDocument,
    "\n  query RoomById($id: ID!) {\n    room(id: $id) { id name topic visibility memberCount capacity viewerMembership { id role unreadCount } }\n  }\n": types.RoomByIdDocument,
    "\n  query Members($roomId: ID!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      members(first: $first, after: $after) {\n        edges { cursor node { id role unreadCount muted user { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.MembersDocument,
    "\n  query NodeById($id: ID!) {\n    node(id: $id) { __typename id }\n  }\n": types.NodeByIdDocument,
    "\n  query NodesById($ids: [ID!]!) {\n    nodes(ids: $ids) { __typename id }\n  }\n": types.NodesByIdDocument,
    "\n  query Me {\n    viewer { id locale user { id handle displayName avatarUrl } }\n  }\n": types.MeDocument,
    "\n  query Memberships($first: Int, $after: String) {\n    viewer {\n      memberships(first: $first, after: $after) {\n        edges { cursor node { id role room { id } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.MembershipsDocument,
    "\n  query UserByHandle($handle: String!) {\n    user(handle: $handle) { id handle displayName avatarUrl }\n  }\n": types.UserByHandleDocument,
    "\n  mutation UpdateProfile($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { user { id handle displayName avatarUrl } }\n  }\n": types.UpdateProfileDocument,
    "\n  query RoomThreads($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String, $replies: Int) {\n    room(id: $roomId) {\n      threads(first: $first, after: $after, last: $last, before: $before, replies: $replies) {\n        pageInfo { hasPreviousPage hasNextPage startCursor endCursor }\n        edges {\n          node {\n            root { id body replyCount }\n            replies { id body }\n            hasMoreReplies\n            stamps { stamp { key } message { body } }\n          }\n        }\n      }\n    }\n  }\n": types.RoomThreadsDocument,
    "query UnreadEverywhere { viewer { unread { total rooms { unreadCount } } } }": types.UnreadEverywhereDocument,
    "\n  query RoomsInOrder($first: Int, $after: String, $orderBy: MembershipOrder, $unreadOnly: Boolean) {\n    viewer {\n      memberships(first: $first, after: $after, orderBy: $orderBy, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges { node { room { name lastActivityAt lastMessage { id body createdAt deletedAt } } } }\n      }\n    }\n  }\n": types.RoomsInOrderDocument,
    "query LastOutside($id: ID!) { room(id: $id) { name lastMessage { id } } }": types.LastOutsideDocument,
    "query ActivityOutside($id: ID!) { room(id: $id) { lastActivityAt } }": types.ActivityOutsideDocument,
    "\n  mutation MuteInOrder($roomId: ID!) { muteRoom(input: { roomId: $roomId, muted: true }) { membership { id } } }\n": types.MuteInOrderDocument,
    "\n  mutation MarkAllRoomsRead { markAllRoomsRead { unread { total rooms { unreadCount } } } }\n": types.MarkAllRoomsReadDocument,
    "\n  mutation MarkRoomUnread($messageId: ID!) {\n    markRoomUnread(input: { messageId: $messageId }) { membership { unreadCount } }\n  }\n": types.MarkRoomUnreadDocument,
    "\n  mutation MuteRoom($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { muted unreadCount } }\n  }\n": types.MuteRoomDocument,
    "\n  query ExplainUnread($roomId: ID!) {\n    room(id: $roomId) { explainUnread { id position body } viewerMembership { unreadCount } }\n  }\n": types.ExplainUnreadDocument,
    "\n  mutation BlockSearched($userId: ID!) { blockUser(input: { userId: $userId }) { user { id } } }\n": types.BlockSearchedDocument,
    "\n  mutation BlockUser($input: BlockUserInput!) { blockUser(input: $input) { user { id handle } } }\n": types.BlockUserDocument,
    "\n  mutation UnblockUser($input: BlockUserInput!) { unblockUser(input: $input) { user { id handle } } }\n": types.UnblockUserDocument,
    "\n  query BlockedUsers($first: Int, $after: String) {\n    viewer {\n      blockedUsers(first: $first, after: $after) {\n        edges { node { id } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.BlockedUsersDocument,
    "\n  mutation MentionsOf($input: SendMessageInput!) {\n    sendMessage(input: $input) { message { id body mentions { handle } } }\n  }\n": types.MentionsOfDocument,
    "\n  query SearchUsers($prefix: String!, $first: Int, $after: String) {\n    searchUsers(prefix: $prefix, first: $first, after: $after) {\n      edges { cursor node { id handle } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n": types.SearchUsersDocument,
    "\n  query SearchMembers($roomId: ID!, $prefix: String!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      searchMembers(prefix: $prefix, first: $first, after: $after) {\n        edges { cursor node { id role user { handle } unreadCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n": types.SearchMembersDocument,
    "\n  mutation SetZone($timeZone: String) {\n    updateProfile(input: { timeZone: $timeZone }) { user { id timeZone } }\n  }\n": types.SetZoneDocument,
    "query ZoneOf($handle: String!) { user(handle: $handle) { timeZone } }": types.ZoneOfDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAccount($input: DeleteAccountInput!) { deleteAccount(input: $input) { deletedUserId } }\n"): typeof import('./graphql.ts').DeleteAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProfileOf($id: ID!) {\n    node(id: $id) { ... on User { id handle displayName avatarUrl isFormer } }\n  }\n"): typeof import('./graphql.ts').ProfileOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuthorsOf($roomId: ID!) {\n    room(id: $roomId) {\n      memberCount\n      messages(last: 10) { edges { node { body likeCount author { id isFormer displayName } } } }\n      members(first: 10) { edges { node { role user { id } } } }\n    }\n  }\n"): typeof import('./graphql.ts').AuthorsOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BellTexts { viewer { notifications(first: 10) { edges { node { kind text } } } } }\n"): typeof import('./graphql.ts').BellTextsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ExemplarEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').ExemplarEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription LateEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').LateEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription MetricsEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').MetricsEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription TracedEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').TracedEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DecidedDeliveries {\n    viewer { id deliveries(first: 50) { edges { node { id kinds outcome decidedAt } } } }\n  }\n"): typeof import('./graphql.ts').DecidedDeliveriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation WaitForReplies($seconds: Int!) {\n    updateDeliverySettings(input: { kinds: [{ kind: REPLY, delaySeconds: $seconds }] }) { settings { hideText } }\n  }\n"): typeof import('./graphql.ts').WaitForRepliesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliverySettings {\n    viewer {\n      deliverySettings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        pausedUntil\n        hideText\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DeliverySettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateDeliverySettings($input: UpdateDeliverySettingsInput!) {\n    updateDeliverySettings(input: $input) {\n      settings {\n        kinds { kind mode delaySeconds windowSeconds channels }\n        quietHours { from to timeZone days }\n        hideText\n      }\n    }\n  }\n"): typeof import('./graphql.ts').UpdateDeliverySettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseDeliveries($until: DateTime) {\n    pauseDeliveries(input: { until: $until }) { settings { pausedUntil } }\n  }\n"): typeof import('./graphql.ts').PauseDeliveriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetRoomDelivery($input: SetRoomDeliveryInput!) {\n    setRoomDelivery(input: $input) { membership { delivery muted } }\n  }\n"): typeof import('./graphql.ts').SetRoomDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeliveryRoom { createRoom(input: { name: \"Lunch\", visibility: PUBLIC }) { room { id } } }\n"): typeof import('./graphql.ts').DeliveryRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailSettings {\n    viewer { deliverySettings { emailDigest email emailRefusedAt sendsEmail } }\n  }\n"): typeof import('./graphql.ts').EmailSettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChooseDigest($emailDigest: EmailDigest, $hideText: Boolean) {\n    updateDeliverySettings(input: { emailDigest: $emailDigest, hideText: $hideText }) {\n      settings { emailDigest email }\n    }\n  }\n"): typeof import('./graphql.ts').ChooseDigestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EmailAttempts {\n    viewer { deliveries(first: 5) { edges { node { kinds outcome attempts { channel outcome } } } } }\n  }\n"): typeof import('./graphql.ts').EmailAttemptsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RegisterPush($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id label createdAt lastUsedAt } }\n  }\n"): typeof import('./graphql.ts').RegisterPushDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemovePush($id: ID!) {\n    removePushSubscription(input: { pushSubscriptionId: $id }) { deletedPushSubscriptionId }\n  }\n"): typeof import('./graphql.ts').RemovePushDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestDelivery($channel: DeliveryChannel!) {\n    testDelivery(input: { channel: $channel }) { delivery { id kinds outcome attempts { channel } } }\n  }\n"): typeof import('./graphql.ts').TestDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PushSubscriptions { viewer { pushSubscriptions { id } } }\n"): typeof import('./graphql.ts').PushSubscriptionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Deliveries { viewer { deliveries(first: 10) { edges { node { id outcome } } } } }\n"): typeof import('./graphql.ts').DeliveriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnDeliveries {\n    webPushPublicKey\n    viewer {\n      pushSubscriptions { id label lastUsedAt }\n      deliveries(first: 5) {\n        edges { node { id kinds rooms { id } text outcome attempts { channel outcome at } dueAt decidedAt } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').OwnDeliveriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostMe { viewer { user { id } } }"): typeof import('./graphql.ts').CostMeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRename($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }\n"): typeof import('./graphql.ts').CostRenameDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CostSignOut { signOutEverywhere { user { id } } }"): typeof import('./graphql.ts').CostSignOutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostByHandle($handle: String!) { user(handle: $handle) { id } }"): typeof import('./graphql.ts').CostByHandleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSearchMembers($roomId: ID!, $prefix: String!) {\n    room(id: $roomId) { searchMembers(prefix: $prefix, first: 10) { edges { node { user { handle } } } } }\n  }\n"): typeof import('./graphql.ts').CostSearchMembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostNode($id: ID!) { node(id: $id) { id } }"): typeof import('./graphql.ts').CostNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostNodes($ids: [ID!]!) { nodes(ids: $ids) { id } }"): typeof import('./graphql.ts').CostNodesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostCreateRoom($input: CreateRoomInput!) { createRoom(input: $input) { room { id } } }\n"): typeof import('./graphql.ts').CostCreateRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostJoin($roomId: ID!) { joinRoom(input: { roomId: $roomId }) { membership { id } } }\n"): typeof import('./graphql.ts').CostJoinDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostLeave($roomId: ID!) { leaveRoom(input: { roomId: $roomId }) { deletedMembershipId } }\n"): typeof import('./graphql.ts').CostLeaveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostDeleteAccount($confirm: String!) {\n    deleteAccount(input: { confirm: $confirm, eraseMessages: false }) { deletedUserId }\n  }\n"): typeof import('./graphql.ts').CostDeleteAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostDeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n"): typeof import('./graphql.ts').CostDeleteRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUpdateRoom($input: UpdateRoomInput!) { updateRoom(input: $input) { room { id } } }\n"): typeof import('./graphql.ts').CostUpdateRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostAdd($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostAddDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostRoleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRemove($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n"): typeof import('./graphql.ts').CostRemoveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostBan($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) { deletedMembershipId }\n  }\n"): typeof import('./graphql.ts').CostBanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUnban($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { name } }\n  }\n"): typeof import('./graphql.ts').CostUnbanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostWaitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostWaitEdge($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) { waitlistEdge { cursor since node { name } } }\n  }\n"): typeof import('./graphql.ts').CostWaitEdgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostPosition($roomId: ID!) { room(id: $roomId) { waitlistPosition } }"): typeof import('./graphql.ts').CostPositionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code invite { id } } }\n"): typeof import('./graphql.ts').CostInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostComeIn($code: String!) { joinWithInvite(input: { code: $code }) { membership { id } } }\n"): typeof import('./graphql.ts').CostComeInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRevoke($inviteId: ID!) { revokeInvite(input: { inviteId: $inviteId }) { deletedInviteId } }\n"): typeof import('./graphql.ts').CostRevokeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostDirect($userIds: [ID!]!) { openDirectRoom(input: { userIds: $userIds }) { room { id } } }\n"): typeof import('./graphql.ts').CostDirectDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostRoom($roomId: ID!) { room(id: $roomId) { name memberCount viewerMembership { unreadCount } } }\n"): typeof import('./graphql.ts').CostRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostDirectory { rooms(first: 10) { edges { node { name memberCount } } } }\n"): typeof import('./graphql.ts').CostDirectoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostPeople($roomId: ID!) { room(id: $roomId) { people { displayName } } }"): typeof import('./graphql.ts').CostPeopleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostMembers($roomId: ID!) { room(id: $roomId) { members(first: 10) { edges { node { user { displayName } } } } } }\n"): typeof import('./graphql.ts').CostMembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostMemberships { viewer { memberships(first: 10) { edges { node { role } } } } }\n"): typeof import('./graphql.ts').CostMembershipsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostJoined { viewer { memberships(first: 10, orderBy: JOINED) { edges { node { role } } } } }\n"): typeof import('./graphql.ts').CostJoinedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostLastMessage($roomId: ID!) { room(id: $roomId) { lastActivityAt lastMessage { body } } }\n"): typeof import('./graphql.ts').CostLastMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostSend($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }\n"): typeof import('./graphql.ts').CostSendDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostEdit($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id } }\n  }\n"): typeof import('./graphql.ts').CostEditDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostDelete($messageId: ID!) { deleteMessage(input: { messageId: $messageId }) { message { id } } }\n"): typeof import('./graphql.ts').CostDeleteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostTimeline($roomId: ID!, $last: Int, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) { edges { node { body } } pageInfo { startCursor } }\n    }\n  }\n"): typeof import('./graphql.ts').CostTimelineDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostAuthors($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { body author { displayName } } } } }\n  }\n"): typeof import('./graphql.ts').CostAuthorsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostAround($roomId: ID!, $around: ID!) {\n    room(id: $roomId) { messages(first: 10, around: $around) { edges { node { body } } } }\n  }\n"): typeof import('./graphql.ts').CostAroundDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostFrom($roomId: ID!, $from: DateTime!) {\n    room(id: $roomId) { messages(first: 10, from: $from) { edges { node { body } } } }\n  }\n"): typeof import('./graphql.ts').CostFromDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads(last: 10) {\n        edges { node { root { body } replies { body } hasMoreReplies stamps { stamp { key } } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CostThreadsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostThread($id: ID!) {\n    node(id: $id) { ... on Message { body replies(last: 10) { edges { node { body } } } } }\n  }\n"): typeof import('./graphql.ts').CostThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostUnread { viewer { unread { total rooms { unreadCount room { name } } } } }\n"): typeof import('./graphql.ts').CostUnreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostExplain($roomId: ID!) { room(id: $roomId) { explainUnread { body } } }"): typeof import('./graphql.ts').CostExplainDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRead($input: MarkRoomReadInput!) { markRoomRead(input: $input) { membership { id } } }\n"): typeof import('./graphql.ts').CostReadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostReadAll { markAllRoomsRead { unread { total } } }\n"): typeof import('./graphql.ts').CostReadAllDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostReadBack($messageId: ID!) { markRoomUnread(input: { messageId: $messageId }) { membership { id } } }\n"): typeof import('./graphql.ts').CostReadBackDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostMute($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostMuteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostArrange($roomId: ID!) {\n    arrangeRoom(input: { roomId: $roomId, section: \"Work\", starred: true }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostArrangeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostRoomDelivery($roomId: ID!, $delivery: RoomDelivery!) {\n    setRoomDelivery(input: { roomId: $roomId, delivery: $delivery }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostRoomDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostDeliverySettings($hideText: Boolean!) {\n    updateDeliverySettings(input: { hideText: $hideText }) { settings { hideText } }\n  }\n"): typeof import('./graphql.ts').CostDeliverySettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostPause($until: DateTime!) { pauseDeliveries(input: { until: $until }) { settings { hideText } } }\n"): typeof import('./graphql.ts').CostPauseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostReadDeliverySettings { viewer { deliverySettings { hideText kinds { kind } } } }\n"): typeof import('./graphql.ts').CostReadDeliverySettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) { messageStamp { id } }\n  }\n"): typeof import('./graphql.ts').CostStampDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUnstamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) { deletedMessageStampId }\n  }\n"): typeof import('./graphql.ts').CostUnstampDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostCatalogue { stamps { key label } }"): typeof import('./graphql.ts').CostCatalogueDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostStamps($id: ID!) {\n    node(id: $id) { ... on Message { stamps(first: 10) { edges { node { createdAt } } } } }\n  }\n"): typeof import('./graphql.ts').CostStampsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { stampCounts { count viewerHasStamped } } } } }\n  }\n"): typeof import('./graphql.ts').CostCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostLike($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n"): typeof import('./graphql.ts').CostLikeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostLikeEdges($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { likeCount viewerHasLiked } likedMessageEdge { cursor } likerEdge { cursor }\n    }\n  }\n"): typeof import('./graphql.ts').CostLikeEdgesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUnlike($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) { message { likeCount viewerHasLiked } }\n  }\n"): typeof import('./graphql.ts').CostUnlikeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostLikers($id: ID!) {\n    node(id: $id) { ... on Message { likers(first: 10) { edges { node { displayName } } } } }\n  }\n"): typeof import('./graphql.ts').CostLikersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostWhole($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) {\n        edges {\n          node {\n            body author { displayName } replyCount lastReplyAt participants { displayName }\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CostWholeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostTyping($roomId: ID!) { setTyping(input: { roomId: $roomId, typing: true }) { room { name } } }\n"): typeof import('./graphql.ts').CostTypingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "subscription CostBadge { unread { total rooms { unreadCount room { name } } } }"): typeof import('./graphql.ts').CostBadgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription CostEvents($roomId: ID!, $after: String) { roomEvents(roomId: $roomId, after: $after) { __typename cursor } }\n"): typeof import('./graphql.ts').CostEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostCursor($roomId: ID!) { room(id: $roomId) { eventsCursor } }"): typeof import('./graphql.ts').CostCursorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostNotifications($unreadOnly: Boolean) {\n    viewer { notifications(first: 10, unreadOnly: $unreadOnly) { edges { node { kind actorCount readAt } } } }\n  }\n"): typeof import('./graphql.ts').CostNotificationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostNotificationTexts {\n    viewer { notifications(first: 10) { edges { node { text message { body } } } } }\n  }\n"): typeof import('./graphql.ts').CostNotificationTextsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostNotification($id: ID!) { node(id: $id) { ... on Notification { actorCount readAt } } }\n"): typeof import('./graphql.ts').CostNotificationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription CostNotificationChanged { notificationChanged { notification { actorCount readAt } } }\n"): typeof import('./graphql.ts').CostNotificationChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostMarkNotifications($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) { notifications { readAt } }\n  }\n"): typeof import('./graphql.ts').CostMarkNotificationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostReadThread($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { message { body } } }\n"): typeof import('./graphql.ts').CostReadThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostFollowedThreads($unreadOnly: Boolean) {\n    viewer { threads(first: 10, unreadOnly: $unreadOnly) { edges { node { root { body } viewerIsFollowing hasUnread } } } }\n  }\n"): typeof import('./graphql.ts').CostFollowedThreadsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUnfollow($messageId: ID!) { unfollowThread(input: { messageId: $messageId }) { message { body } } }\n"): typeof import('./graphql.ts').CostUnfollowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostFollow($messageId: ID!) { followThread(input: { messageId: $messageId }) { message { body } } }\n"): typeof import('./graphql.ts').CostFollowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostFollowEdge($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { body } threadEdge { cursor node { root { body } } } }\n  }\n"): typeof import('./graphql.ts').CostFollowEdgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostFollowing($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerIsFollowing } } } }\n  }\n"): typeof import('./graphql.ts').CostFollowingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSaved(\n    $visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean\n    $orderBy: SavedOrder, $from: DateTime\n    $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility, tags: $tags, tagIds: $tagIds, untagged: $untagged, orderBy: $orderBy, from: $from\n        first: $first, after: $after, last: $last, before: $before\n      ) {\n        edges { node { note tags savedAt message { body createdAt } } }\n        pageInfo { startCursor endCursor hasNextPage hasPreviousPage }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CostSavedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSavedMessage($id: ID!) { node(id: $id) { ... on SavedMessage { note tags message { body } } } }\n"): typeof import('./graphql.ts').CostSavedMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSavedTags($prefix: String, $orderBy: SavedTagOrder) {\n    viewer { savedTags(prefix: $prefix, orderBy: $orderBy, first: 2) { edges { node { name count } } } }\n  }\n"): typeof import('./graphql.ts').CostSavedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostLastSavedTags { viewer { savedTags(last: 2) { edges { node { name count } } } } }\n"): typeof import('./graphql.ts').CostLastSavedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostPublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: 10) { edges { node { note tags message { body } } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CostPublicSavedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostPublicTags($id: ID!) {\n    node(id: $id) { ... on User { savedTags(first: 2) { edges { node { name count } } } } }\n  }\n"): typeof import('./graphql.ts').CostPublicTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostPublicSaves($id: ID!) {\n    node(id: $id) { ... on Message { publicSaves(first: 10) { edges { node { note savedBy { handle } } } } } }\n  }\n"): typeof import('./graphql.ts').CostPublicSavesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostPublicSaveCounts($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { publicSaveCount } } } }\n  }\n"): typeof import('./graphql.ts').CostPublicSaveCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CostSavedCounts { viewer { savedCounts { total untagged } } }"): typeof import('./graphql.ts').CostSavedCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostReminders { viewer { reminders(first: 10) { edges { node { remindAt tags message { body } } } } } }\n"): typeof import('./graphql.ts').CostRemindersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSavedMarks($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note } } } } }\n  }\n"): typeof import('./graphql.ts').CostSavedMarksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostSavedMarksWithTags($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { viewerHasLiked viewerSaved { note tags } } } } }\n  }\n"): typeof import('./graphql.ts').CostSavedMarksWithTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostSave($input: SaveMessageInput!) { saveMessage(input: $input) { savedMessage { note } } }\n"): typeof import('./graphql.ts').CostSaveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostUnsave($messageId: ID!) {\n    removeSavedMessage(input: { messageId: $messageId }) { removed { note tags } }\n  }\n"): typeof import('./graphql.ts').CostUnsaveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostJobs { viewer { jobs(first: 10) { edges { node { state done text remainingSeconds } } } } }\n"): typeof import('./graphql.ts').CostJobsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "subscription CostSavedChanged { savedChanged { counts { total } } }"): typeof import('./graphql.ts').CostSavedChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostWaitlists { viewer { waitlists(first: 10) { edges { position node { name } } } } }\n"): typeof import('./graphql.ts').CostWaitlistsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostWaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) { membership { id } }\n  }\n"): typeof import('./graphql.ts').CostWaitWithInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeSaved($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessageEdge { cursor node { id } }\n      reminderEdge { cursor node { id remindAt } }\n    }\n  }\n"): typeof import('./graphql.ts').OwnEdgeSavedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeSnoozed($input: SnoozeReminderInput!) {\n    snoozeReminder(input: $input) { reminderEdge { cursor node { id remindAt } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeSnoozedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeScheduled($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessageEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeScheduledDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likedMessageEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeLikedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeFollowed($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) {\n      threadEdge { cursor node { root { id } replies { id } viewerIsFollowing } }\n    }\n  }\n"): typeof import('./graphql.ts').OwnEdgeFollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeJoined($input: JoinRoomInput!) {\n    joinRoom(input: $input) { membershipEdge { cursor } waitlistEdge { cursor position since node { id } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeJoinedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n"): typeof import('./graphql.ts').OwnEdgeInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      waitlistEdge { cursor position since node { id } }\n    }\n  }\n"): typeof import('./graphql.ts').OwnEdgeAcceptedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgePublished($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgePublishedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeRenamed($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id } jobEdge { cursor node { id kind } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeRenamedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeMerged($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeMergedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeDeleted($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { jobEdge { cursor node { id kind } } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeDeletedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeBrowser($input: RegisterPushSubscriptionInput!) {\n    registerPushSubscription(input: $input) { pushSubscription { id } }\n  }\n"): typeof import('./graphql.ts').OwnEdgeBrowserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OwnEdgeDelivery { testDelivery(input: { channel: WEB_PUSH }) { deliveryEdge { cursor node { id } } } }\n"): typeof import('./graphql.ts').OwnEdgeDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnEdgeLists {\n    viewer {\n      savedMessages { edges { cursor node { id } } }\n      reminders { edges { cursor node { id remindAt } } }\n      scheduledMessages { edges { cursor node { id } } }\n      likedMessages { edges { cursor node { id } } }\n      threads { edges { cursor node { root { id } replies { id } viewerIsFollowing } } }\n      waitlists { edges { cursor position since node { id } } }\n      jobs { edges { cursor node { id kind } } }\n      deliveries { edges { cursor node { id } } }\n      savedTags { edges { node { id name } } }\n    }\n  }\n"): typeof import('./graphql.ts').OwnEdgeListsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeSent($input: SendMessageInput!) {\n    sendMessage(input: $input) {\n      messageEdge { cursor node { id } }\n      threadEdge { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } }\n    }\n  }\n"): typeof import('./graphql.ts').EdgeSentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeStamped($messageId: ID!) {\n    addStamp(input: { messageId: $messageId, stamp: \"tea\" }) { messageStampEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeStampedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeAdded($input: AddMemberInput!) { addMember(input: $input) { membershipEdge { cursor node { id } } } }\n"): typeof import('./graphql.ts').EdgeAddedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeInvited($roomId: ID!) { createInvite(input: { roomId: $roomId }) { inviteEdge { cursor node { id } } } }\n"): typeof import('./graphql.ts').EdgeInvitedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeBanned($input: BanMemberInput!) { banMember(input: $input) { banEdge { cursor node { user { id } } } } }\n"): typeof import('./graphql.ts').EdgeBannedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeLiked($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) { likerEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeLikedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeBlocked($userId: ID!) {\n    blockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeBlockedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeUnblocked($userId: ID!) {\n    unblockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeUnblockedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeCreated($visibility: RoomVisibility!) {\n    createRoom(input: { name: \"Room\", visibility: $visibility }) {\n      roomEdge { cursor node { id } }\n      membershipEdge { cursor node { id } }\n    }\n  }\n"): typeof import('./graphql.ts').EdgeCreatedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeOpened($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) { membershipEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeOpenedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeJoined($input: JoinRoomInput!) { joinRoom(input: $input) { membershipEdge { cursor node { id } } } }\n"): typeof import('./graphql.ts').EdgeJoinedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeAccepted($code: String!) {\n    joinWithInvite(input: { code: $code }) { membershipEdge { cursor node { id } } }\n  }\n"): typeof import('./graphql.ts').EdgeAcceptedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EdgeCode($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }\n"): typeof import('./graphql.ts').EdgeCodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EdgesOfRooms { rooms(first: 1) { edges { cursor node { id } } } }\n"): typeof import('./graphql.ts').EdgesOfRoomsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EdgesOfThreads($roomId: ID!) {\n    room(id: $roomId) {\n      threads { edges { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } } }\n    }\n  }\n"): typeof import('./graphql.ts').EdgesOfThreadsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EdgesOfViewer {\n    viewer {\n      memberships(orderBy: JOINED) { edges { cursor node { id own { unreadCount muted } unreadCount muted } } }\n      blockedUsers { edges { cursor node { id } } }\n    }\n  }\n"): typeof import('./graphql.ts').EdgesOfViewerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MoreEdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      bans { edges { cursor node { user { id } } } }\n      members { edges { node { user { id } own { unreadCount muted } } } }\n      messages { edges { node { likers { edges { cursor node { id } } } } } }\n    }\n  }\n"): typeof import('./graphql.ts').MoreEdgesListedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EdgesListed($roomId: ID!) {\n    room(id: $roomId) {\n      members { edges { cursor node { id } } }\n      invites { edges { cursor node { id } } }\n      messages {\n        edges {\n          cursor\n          node {\n            id\n            stamps { edges { cursor node { id } } }\n            replies { edges { cursor node { id } } }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EdgesListedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendWithKey($input: SendMessageInput!) { sendMessage(input: $input) { message { id idempotencyKey } } }\n"): typeof import('./graphql.ts').SendWithKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReadKey($id: ID!) { node(id: $id) { ... on Message { idempotencyKey } } }"): typeof import('./graphql.ts').ReadKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription KeysInEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageAdded { message { id body idempotencyKey viewerHasLiked } }\n    }\n  }\n"): typeof import('./graphql.ts').KeysInEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Answered($id: ID!) {\n    node(id: $id) { ... on Message { id inReplyTo { id body author { handle } } root { id } } }\n  }\n"): typeof import('./graphql.ts').AnsweredDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Threads($roomId: ID!) {\n    room(id: $roomId) { messages(last: 10) { edges { node { replies(last: 10) { edges { node { body } } } } } } }\n  }\n"): typeof import('./graphql.ts').ThreadsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessageById($id: ID!) {\n    node(id: $id) {\n      ... on Message { id body version editedAt deletedAt position replyCount mentions { id handle } }\n    }\n  }\n"): typeof import('./graphql.ts').MessageByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EditMessage($messageId: ID!, $body: String!) {\n    editMessage(input: { messageId: $messageId, body: $body }) { message { id body editedAt version mentions { handle } } }\n  }\n"): typeof import('./graphql.ts').EditMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteMessage($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) { message { id body deletedAt version replyCount } }\n  }\n"): typeof import('./graphql.ts').DeleteMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Around($roomId: ID!, $around: ID!, $first: Int) {\n    room(id: $roomId) {\n      messages(around: $around, first: $first) {\n        edges { cursor node { id body } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').AroundDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query From($roomId: ID!, $from: DateTime!, $first: Int, $after: String, $around: ID) {\n    room(id: $roomId) {\n      messages(from: $from, first: $first, after: $after, around: $around) {\n        edges { cursor node { id createdAt } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').FromDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WrittenPage($roomId: ID!) {\n    room(id: $roomId) { messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } } }\n  }\n  fragment PageMessage on Message {\n    id version position body createdAt editedAt deletedAt url idempotencyKey replyCount lastReplyAt\n    likeCount viewerHasLiked\n    root { id }\n    inReplyTo { id }\n    author { ...PageUser }\n    participants { ...PageUser }\n    mentions { ...PageUser }\n    stampCounts { count viewerHasStamped stamp { key label imageUrl } }\n    replies(last: 5) { edges { node { id body viewerHasLiked author { ...PageUser } } } }\n  }\n  fragment PageUser on User { id handle displayName avatarUrl }\n"): typeof import('./graphql.ts').WrittenPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExecutedPage($roomId: ID!, $yes: Boolean!) {\n    room(id: $roomId) @include(if: $yes) {\n      messages(last: 50) { edges { cursor node { ...PageMessage } } pageInfo { hasNextPage } }\n    }\n  }\n"): typeof import('./graphql.ts').ExecutedPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query MessageUrl($id: ID!) { node(id: $id) { ... on Message { url } } }"): typeof import('./graphql.ts').MessageUrlDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Followed($first: Int, $after: String, $replies: Int, $unreadOnly: Boolean) {\n    viewer {\n      unread { total }\n      threads(first: $first, after: $after, replies: $replies, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges {\n          cursor\n          node {\n            root { body room { name } }\n            replies { body }\n            hasMoreReplies\n            stamps { stamp { key } }\n            viewerIsFollowing\n            hasUnread\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').FollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReadFollowed($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { unread { total } } }\n"): typeof import('./graphql.ts').ReadFollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ReadAllFollowed { markNotificationsRead(input: {}) { unread { total } } }"): typeof import('./graphql.ts').ReadAllFollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NotificationList($first: Int, $after: String, $unreadOnly: Boolean) {\n    viewer {\n      notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {\n        edges {\n          cursor\n          node { id kind text actorCount actors { handle } stamps { key } message { id body } latestReply { id } updatedAt readAt }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').NotificationListDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NotificationById($id: ID!) {\n    node(id: $id) { ... on Notification { id kind text actorCount actors { handle } message { id } readAt } }\n  }\n"): typeof import('./graphql.ts').NotificationByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkNotificationsRead($ids: [ID!]) {\n    markNotificationsRead(input: { ids: $ids }) {\n      notifications { id text readAt }\n      unread { total notifications }\n    }\n  }\n"): typeof import('./graphql.ts').MarkNotificationsReadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription NotificationsLive {\n    notificationChanged {\n      notification { id kind text actorCount actors { handle } message { id } readAt }\n      removedId\n      unread { notifications }\n    }\n  }\n"): typeof import('./graphql.ts').NotificationsLiveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkThreadRead($messageId: ID!) {\n    markThreadRead(input: { messageId: $messageId }) { message { id } unread { total notifications } }\n  }\n"): typeof import('./graphql.ts').MarkThreadReadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation FollowThread($messageId: ID!) {\n    followThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n"): typeof import('./graphql.ts').FollowThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnfollowThread($messageId: ID!) {\n    unfollowThread(input: { messageId: $messageId }) { message { id viewerIsFollowing } }\n  }\n"): typeof import('./graphql.ts').UnfollowThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Following($id: ID!) { node(id: $id) { ... on Message { id viewerIsFollowing } } }\n"): typeof import('./graphql.ts').FollowingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription AlertEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').AlertEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DashboardEvents($roomId: ID!) {\n    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }\n  }\n"): typeof import('./graphql.ts').DashboardEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Arrival {\n    viewer { user { handle displayName } unread { total } }\n    rooms(first: 20) { edges { node { id name } } }\n  }\n"): typeof import('./graphql.ts').ArrivalDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TwoMutations($roomId: ID!) {\n    failed: likeMessage(input: { messageId: \"x\" }) { message { id } }\n    sent: sendMessage(input: { roomId: $roomId, body: \"It is stored.\" }) { message { body } }\n  }\n"): typeof import('./graphql.ts').TwoMutationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription LikesLive($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount viewerHasLiked stampCounts { viewerHasStamped stamp { key } } } }\n    }\n  }\n"): typeof import('./graphql.ts').LikesLiveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription LikesByCause($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { likeCount stampCounts { count } } cause { kind actor { id } } }\n    }\n  }\n"): typeof import('./graphql.ts').LikesByCauseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Liked($roomId: ID, $first: Int, $after: String, $last: Int, $before: String) {\n    viewer {\n      likedMessages(roomId: $roomId, first: $first, after: $after, last: $last, before: $before) {\n        edges { cursor node { id body viewerHasLiked } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LikedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostLiked($roomId: ID) {\n    viewer { likedMessages(roomId: $roomId, first: 10) { edges { node { id body } } } }\n  }\n"): typeof import('./graphql.ts').CostLikedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LikeMessage($messageId: ID!) {\n    likeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n"): typeof import('./graphql.ts').LikeMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnlikeMessage($messageId: ID!) {\n    unlikeMessage(input: { messageId: $messageId }) {\n      message { id version likeCount viewerHasLiked deletedAt likers { edges { node { handle } } } }\n    }\n  }\n"): typeof import('./graphql.ts').UnlikeMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LikesOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id version likeCount viewerHasLiked\n        likers(first: $first, after: $after) {\n          edges { cursor node { id handle } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LikesOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LikedPage($roomId: ID!, $last: Int!) {\n    room(id: $roomId) {\n      messages(last: $last) {\n        edges {\n          node {\n            id likeCount viewerHasLiked replyCount lastReplyAt\n            author { handle displayName avatarUrl }\n            participants { handle }\n            stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LikedPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LikedOne($id: ID!) {\n    node(id: $id) { ... on Message { likeCount viewerHasLiked author { handle } } }\n  }\n"): typeof import('./graphql.ts').LikedOneDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LikedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message { id likeCount viewerHasLiked replies { edges { node { id likeCount viewerHasLiked } } } }\n    }\n  }\n"): typeof import('./graphql.ts').LikedThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StampById($id: ID!) { node(id: $id) { ... on Stamp { id key label imageUrl emoji } } }\n"): typeof import('./graphql.ts').StampByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Catalogue { stamps { key label imageUrl emoji } }\n"): typeof import('./graphql.ts').CatalogueDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddStamp($messageId: ID!, $stamp: String!) {\n    addStamp(input: { messageId: $messageId, stamp: $stamp }) {\n      messageStamp {\n        id createdAt stamp { key label imageUrl emoji } user { id handle }\n        message { id version stampCounts { count viewerHasStamped stamp { key } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').AddStampDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveStamp($messageStampId: ID!) {\n    removeStamp(input: { messageStampId: $messageStampId }) {\n      deletedMessageStampId\n      message { id version stampCounts { count viewerHasStamped stamp { key } } }\n    }\n  }\n"): typeof import('./graphql.ts').RemoveStampDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteStamped($messageId: ID!) {\n    deleteMessage(input: { messageId: $messageId }) {\n      message { id deletedAt stampCounts { count } stamps { edges { node { id } } } }\n    }\n  }\n"): typeof import('./graphql.ts').DeleteStampedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StampsOf($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        stamps(first: $first, after: $after) {\n          edges { cursor node { id createdAt stamp { key } user { handle } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').StampsOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StampNode($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on MessageStamp { id createdAt stamp { key } user { handle } message { id } }\n    }\n  }\n"): typeof import('./graphql.ts').StampNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StampedPage($roomId: ID!, $last: Int!, $before: String) {\n    room(id: $roomId) {\n      messages(last: $last, before: $before) {\n        edges { node { id stampCounts { count viewerHasStamped stamp { key } } } }\n        pageInfo { startCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').StampedPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StampedThread($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        stampCounts { count viewerHasStamped stamp { key } }\n        replies { edges { node { id stampCounts { count viewerHasStamped stamp { key } } } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').StampedThreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MineBefore {\n    viewer {\n      id\n      user { handle displayName }\n      unread { total notifications rooms { unreadCount readPosition room { id name } } }\n      memberships(first: 20, orderBy: JOINED) { edges { node { id role unreadCount room { id name topic memberCount } } } }\n      notifications(first: 50) { edges { node { id kind actorCount readAt message { id body } } } }\n      savedMessages(first: 20) { edges { node { id visibility note tags message { id body } } } }\n      likedMessages(first: 50) { edges { node { id body } } }\n    }\n  }\n"): typeof import('./graphql.ts').MineBeforeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RoomBefore($roomId: ID!) {\n    room(id: $roomId) {\n      id\n      members(first: 10) { edges { node { role unreadCount user { handle } } } }\n      messages(last: 50) {\n        edges {\n          cursor\n          node {\n            id body createdAt editedAt deletedAt version position author { handle } mentions { handle }\n            replyCount lastReplyAt participants { handle } viewerIsFollowing\n            likeCount viewerHasLiked stampCounts { count viewerHasStamped stamp { key } }\n          }\n        }\n        pageInfo { hasPreviousPage hasNextPage }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').RoomBeforeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ThreadBefore($id: ID!) {\n    node(id: $id) {\n      ... on Message {\n        id\n        likers(first: 10) { edges { node { handle } } }\n        stamps(first: 10) { edges { node { id createdAt stamp { key } user { handle } } } }\n        replies(first: 20) {\n          edges { cursor node { id body version editedAt author { handle } likeCount inReplyTo { id } } }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ThreadBeforeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FirstOwnRoom($after: String) {\n    viewer {\n      memberships(first: 1, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }\n    }\n  }\n"): typeof import('./graphql.ts').FirstOwnRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }\n"): typeof import('./graphql.ts').DeleteRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription Causes($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      ... on MessageChanged { message { id version } cause { kind actor { handle } stamp { key } } }\n    }\n  }\n"): typeof import('./graphql.ts').CausesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment WholeMessage on Message {\n    id version body editedAt deletedAt position replyCount lastReplyAt\n    author { handle }\n    root { id }\n    participants { handle }\n    mentions { handle }\n    likeCount viewerHasLiked\n    stampCounts { count viewerHasStamped stamp { key } }\n  }\n"): typeof import('./graphql.ts').WholeMessageFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WholeRoom($roomId: ID!, $after: String) {\n    room(id: $roomId) {\n      eventsCursor\n      name\n      memberCount\n      viewerMembership { user { handle } }\n      members(first: 100) { edges { node { role user { handle } } } }\n      messages(first: 100, after: $after) {\n        edges { node { ...WholeMessage replies(first: 100) { edges { node { ...WholeMessage } } } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').WholeRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WholeEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { name memberCount }\n      ... on MessageAdded { message { ...WholeMessage } }\n      ... on MessageChanged { message { ...WholeMessage } cause { kind actor { handle } stamp { key } } }\n      ... on MembershipChanged { user { handle } membership { role } }\n    }\n  }\n"): typeof import('./graphql.ts').WholeEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription RoomEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      cursor\n      room { id name memberCount capacity }\n      ... on MessageAdded { message { id body version position deletedAt root { id } } }\n      ... on MessageChanged { message { id body version position deletedAt replyCount } }\n      ... on MembershipChanged { user { handle } membership { role } }\n      ... on TypingChanged { users { handle } }\n    }\n  }\n"): typeof import('./graphql.ts').RoomEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription MembershipEvents($roomId: ID!, $after: String) {\n    roomEvents(roomId: $roomId, after: $after) {\n      __typename\n      ... on MembershipChanged { user { handle } membership { muted unreadCount } }\n    }\n  }\n"): typeof import('./graphql.ts').MembershipEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventsCursor($roomId: ID!) {\n    room(id: $roomId) { eventsCursor messages(last: 100) { edges { node { id body version position deletedAt replyCount } } } }\n  }\n"): typeof import('./graphql.ts').EventsCursorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CursorOnly($roomId: ID!) { room(id: $roomId) { id eventsCursor } }\n"): typeof import('./graphql.ts').CursorOnlyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetTyping($roomId: ID!, $typing: Boolean!) {\n    setTyping(input: { roomId: $roomId, typing: $typing }) { room { id } }\n  }\n"): typeof import('./graphql.ts').SetTypingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OpenedRoom($roomId: ID!) {\n    roomEvents(roomId: $roomId) {\n      __typename\n      cursor\n      room { name viewerMembership { role user { handle } } }\n    }\n  }\n"): typeof import('./graphql.ts').OpenedRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Arrange($input: ArrangeRoomInput!) {\n    arrangeRoom(input: $input) { membership { id section starred } }\n  }\n"): typeof import('./graphql.ts').ArrangeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Arrangement($roomId: ID!) {\n    viewer { memberships(first: 10) { edges { node { section starred room { id } } } } }\n    room(id: $roomId) {\n      viewerMembership { section starred }\n      members(first: 10) { edges { node { user { id } section starred } } }\n    }\n  }\n"): typeof import('./graphql.ts').ArrangementDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation WaitWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code, waitlist: true }) {\n      membership { id }\n      room { id name topic visibility capacity memberCount waitingCount waitlistPosition viewerMembership { id } }\n    }\n  }\n"): typeof import('./graphql.ts').WaitWithInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Waits($first: Int, $after: String) {\n    viewer {\n      waitlists(first: $first, after: $after) {\n        edges { cursor position since node { id name } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').WaitsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SeenRoom($id: ID!) { room(id: $id) { name topic memberCount waitlistPosition } }"): typeof import('./graphql.ts').SeenRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Bans($roomId: ID!) {\n    room(id: $roomId) { bans(first: 10) { edges { node { user { id } bannedBy { id } createdAt } } } }\n  }\n"): typeof import('./graphql.ts').BansDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateInvite($input: CreateInviteInput!) {\n    createInvite(input: $input) {\n      code\n      invite { id room { id } createdBy { handle } createdAt expiresAt maxUses uses }\n    }\n  }\n"): typeof import('./graphql.ts').CreateInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation JoinWithInvite($code: String!) {\n    joinWithInvite(input: { code: $code }) { membership { id role room { id name } } }\n  }\n"): typeof import('./graphql.ts').JoinWithInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeInvite($inviteId: ID!) {\n    revokeInvite(input: { inviteId: $inviteId }) { room { id } deletedInviteId }\n  }\n"): typeof import('./graphql.ts').RevokeInviteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Invites($roomId: ID!) {\n    room(id: $roomId) { invites(first: 10) { edges { node { id uses maxUses } } } }\n  }\n"): typeof import('./graphql.ts').InvitesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OpenDirectRoom($userIds: [ID!]!) {\n    openDirectRoom(input: { userIds: $userIds }) {\n      room { id name visibility memberCount capacity viewerMembership { role } }\n    }\n  }\n"): typeof import('./graphql.ts').OpenDirectRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PeopleOf($id: ID!) { room(id: $id) { people { handle } } }\n"): typeof import('./graphql.ts').PeopleOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation JoinOrWait($roomId: ID!) {\n    joinRoom(input: { roomId: $roomId, waitlist: true }) {\n      membership { id role }\n      room { memberCount waitingCount waitlistPosition }\n    }\n  }\n"): typeof import('./graphql.ts').JoinOrWaitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Waitlist($id: ID!) {\n    room(id: $id) { memberCount capacity waitingCount waitlistPosition viewerMembership { role } }\n  }\n"): typeof import('./graphql.ts').WaitlistDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnRooms { viewer { memberships(first: 50) { edges { node { room { id } } } } } }\n"): typeof import('./graphql.ts').OwnRoomsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NotificationRooms {\n    viewer {\n      notifications(first: 20) {\n        edges { node { id kind text actorCount actors { handle } room { id name } message { id } readAt } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').NotificationRoomsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OwnIdOfSaver { viewer { id } }"): typeof import('./graphql.ts').OwnIdOfSaverDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveMessage($input: SaveMessageInput!) {\n    saveMessage(input: $input) {\n      savedMessage { id visibility note tags remindAt version savedAt savedBy { id } message { id body } }\n    }\n  }\n"): typeof import('./graphql.ts').SaveMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveSavedMessage($input: RemoveSavedMessageInput!) {\n    removeSavedMessage(input: $input) { removed { id visibility note tags remindAt } message { id } }\n  }\n"): typeof import('./graphql.ts').RemoveSavedMessageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedMessages(\n    $visibility: SavedVisibility\n    $tags: [String!]\n    $tagIds: [ID!]\n    $untagged: Boolean\n    $orderBy: SavedOrder\n    $from: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedMessages(\n        visibility: $visibility\n        tags: $tags\n        tagIds: $tagIds\n        untagged: $untagged\n        orderBy: $orderBy\n        from: $from\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id visibility note tags version savedAt message { id body } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SavedMessagesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedCounts { viewer { savedCounts { total public private untagged } } }\n"): typeof import('./graphql.ts').SavedCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedMarks($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 10) { edges { node { id viewerHasLiked viewerSaved { id tags visibility } } } }\n    }\n  }\n"): typeof import('./graphql.ts').SavedMarksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedNode($id: ID!) {\n    node(id: $id) { ... on SavedMessage { id version visibility note tags remindAt savedBy { id } message { id } } }\n  }\n"): typeof import('./graphql.ts').SavedNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SnoozeReminder($id: ID!, $remindAt: DateTime!) {\n    snoozeReminder(input: { savedMessageId: $id, remindAt: $remindAt }) { savedMessage { id remindAt version } }\n  }\n"): typeof import('./graphql.ts').SnoozeReminderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Reminders($first: Int, $after: String) {\n    viewer {\n      reminders(first: $first, after: $after) {\n        edges { node { id remindAt tags message { id } } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').RemindersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedTags(\n    $prefix: String\n    $orderBy: SavedTagOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    viewer {\n      savedTags(\n        prefix: $prefix\n        orderBy: $orderBy\n        first: $first\n        after: $after\n        last: $last\n        before: $before\n      ) {\n        edges { cursor node { id name count publicCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SavedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SavedTagNode($id: ID!) { node(id: $id) { ... on SavedTag { id name count publicCount } } }\n"): typeof import('./graphql.ts').SavedTagNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription SavedChanged {\n    savedChanged {\n      savedMessage { id note tags version visibility message { id body } }\n      removedId\n      version\n      counts { total public private untagged }\n    }\n  }\n"): typeof import('./graphql.ts').SavedChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenameSavedTag($input: RenameSavedTagInput!) {\n    renameSavedTag(input: $input) { tag { id name count publicCount } job { id kind state text } }\n  }\n"): typeof import('./graphql.ts').RenameSavedTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MergeSavedTags($input: MergeSavedTagsInput!) {\n    mergeSavedTags(input: $input) { job { id kind state done total text failure finishedAt } }\n  }\n"): typeof import('./graphql.ts').MergeSavedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSavedTag($input: DeleteSavedTagInput!) {\n    deleteSavedTag(input: $input) { job { id kind state done total text } }\n  }\n"): typeof import('./graphql.ts').DeleteSavedTagDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetVisibilityOfTagged($input: SetVisibilityOfTaggedInput!) {\n    setVisibilityOfTagged(input: $input) { job { id kind state done total text } }\n  }\n"): typeof import('./graphql.ts').SetVisibilityOfTaggedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelJob($input: CancelJobInput!) { cancelJob(input: $input) { job { id state } } }\n"): typeof import('./graphql.ts').CancelJobDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Jobs($first: Int, $after: String) {\n    viewer {\n      jobs(first: $first, after: $after) {\n        edges { node { id kind state done total remainingSeconds failure failureReason createdAt } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').JobsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobChanged($jobId: ID!) { jobChanged(jobId: $jobId) { id state done total } }\n"): typeof import('./graphql.ts').JobChangedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query JobNode($id: ID!) { node(id: $id) { ... on Job { id state done } } }"): typeof import('./graphql.ts').JobNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedMessages(tag: $tag, orderBy: $orderBy, first: $first, after: $after) {\n          edges { cursor node { id note tags visibility savedBy { id } remindAt version message { id body } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PublicSavedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PublicSavedTags($id: ID!, $first: Int, $after: String) {\n    node(id: $id) {\n      ... on User {\n        savedTags(first: $first, after: $after) {\n          edges { cursor node { name count } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PublicSavedTagsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PublicSaves($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    node(id: $id) {\n      ... on Message {\n        version\n        publicSaveCount\n        publicSaves(first: $first, after: $after, last: $last, before: $before) {\n          edges { cursor node { id note tags remindAt version savedBy { id } } }\n          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PublicSavesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Schedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) {\n      scheduledMessage { id room { id } body replyTo { id } sendAt failure failureReason version }\n    }\n  }\n"): typeof import('./graphql.ts').ScheduleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateScheduled($input: UpdateScheduledMessageInput!) {\n    updateScheduledMessage(input: $input) { scheduledMessage { id body sendAt failure version } }\n  }\n"): typeof import('./graphql.ts').UpdateScheduledDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelScheduled($id: ID!) {\n    cancelScheduledMessage(input: { scheduledMessageId: $id }) { cancelled { id body } }\n  }\n"): typeof import('./graphql.ts').CancelScheduledDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ScheduledMessages($first: Int, $after: String) {\n    viewer {\n      scheduledMessages(first: $first, after: $after) {\n        edges {\n          cursor\n          node { id room { id } body replyTo { id } sendAt failure failureReason version }\n        }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ScheduledMessagesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ScheduledNode($id: ID!) { node(id: $id) { ... on ScheduledMessage { id body } } }\n"): typeof import('./graphql.ts').ScheduledNodeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SentTo($roomId: ID!) {\n    room(id: $roomId) {\n      messages(last: 50) { edges { node { id body idempotencyKey author { id } mentions { id } replyCount replies { edges { node { body } } } } } }\n    }\n  }\n"): typeof import('./graphql.ts').SentToDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CostScheduled { viewer { scheduledMessages(first: 10) { edges { node { id sendAt body } } } } }\n"): typeof import('./graphql.ts').CostScheduledDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CostSchedule($input: ScheduleMessageInput!) {\n    scheduleMessage(input: $input) { scheduledMessage { id } }\n  }\n"): typeof import('./graphql.ts').CostScheduleDocument;
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
export function graphql(source: "\n  mutation UpdateRoom($input: UpdateRoomInput!) {\n    updateRoom(input: $input) { room { id name topic capacity memberCount } }\n  }\n"): typeof import('./graphql.ts').UpdateRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddMember($roomId: ID!, $userId: ID!) {\n    addMember(input: { roomId: $roomId, userId: $userId }) { membership { id role muted user { id } } }\n  }\n"): typeof import('./graphql.ts').AddMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($roomId: ID!, $userId: ID!) {\n    removeMember(input: { roomId: $roomId, userId: $userId }) { room { id memberCount } deletedMembershipId }\n  }\n"): typeof import('./graphql.ts').RemoveMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMemberRole($roomId: ID!, $userId: ID!, $role: Role!) {\n    setMemberRole(input: { roomId: $roomId, userId: $userId, role: $role }) { membership { id role muted } }\n  }\n"): typeof import('./graphql.ts').SetMemberRoleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BanMember($roomId: ID!, $userId: ID!) {\n    banMember(input: { roomId: $roomId, userId: $userId }) {\n      room { id memberCount } user { id } deletedMembershipId\n    }\n  }\n"): typeof import('./graphql.ts').BanMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnbanMember($roomId: ID!, $userId: ID!) {\n    unbanMember(input: { roomId: $roomId, userId: $userId }) { room { id } user { id } }\n  }\n"): typeof import('./graphql.ts').UnbanMemberDocument;
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
export function graphql(source: "\n  subscription UnreadLive {\n    unread { total notifications removedRoomIds rooms { unreadCount readPosition room { id name } membership { role } } }\n  }\n"): typeof import('./graphql.ts').UnreadLiveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Directory($first: Int, $after: String) {\n    rooms(first: $first, after: $after) {\n      edges { cursor node { id name topic visibility memberCount capacity } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n"): typeof import('./graphql.ts').DirectoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RoomById($id: ID!) {\n    room(id: $id) { id name topic visibility memberCount capacity viewerMembership { id role unreadCount } }\n  }\n"): typeof import('./graphql.ts').RoomByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members($roomId: ID!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      members(first: $first, after: $after) {\n        edges { cursor node { id role unreadCount muted user { handle } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').MembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NodeById($id: ID!) {\n    node(id: $id) { __typename id }\n  }\n"): typeof import('./graphql.ts').NodeByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NodesById($ids: [ID!]!) {\n    nodes(ids: $ids) { __typename id }\n  }\n"): typeof import('./graphql.ts').NodesByIdDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Me {\n    viewer { id locale user { id handle displayName avatarUrl } }\n  }\n"): typeof import('./graphql.ts').MeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Memberships($first: Int, $after: String) {\n    viewer {\n      memberships(first: $first, after: $after) {\n        edges { cursor node { id role room { id } } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').MembershipsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UserByHandle($handle: String!) {\n    user(handle: $handle) { id handle displayName avatarUrl }\n  }\n"): typeof import('./graphql.ts').UserByHandleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateProfile($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { user { id handle displayName avatarUrl } }\n  }\n"): typeof import('./graphql.ts').UpdateProfileDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RoomThreads($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String, $replies: Int) {\n    room(id: $roomId) {\n      threads(first: $first, after: $after, last: $last, before: $before, replies: $replies) {\n        pageInfo { hasPreviousPage hasNextPage startCursor endCursor }\n        edges {\n          node {\n            root { id body replyCount }\n            replies { id body }\n            hasMoreReplies\n            stamps { stamp { key } message { body } }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').RoomThreadsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query UnreadEverywhere { viewer { unread { total rooms { unreadCount } } } }"): typeof import('./graphql.ts').UnreadEverywhereDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RoomsInOrder($first: Int, $after: String, $orderBy: MembershipOrder, $unreadOnly: Boolean) {\n    viewer {\n      memberships(first: $first, after: $after, orderBy: $orderBy, unreadOnly: $unreadOnly) {\n        pageInfo { hasNextPage endCursor }\n        edges { node { room { name lastActivityAt lastMessage { id body createdAt deletedAt } } } }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').RoomsInOrderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query LastOutside($id: ID!) { room(id: $id) { name lastMessage { id } } }"): typeof import('./graphql.ts').LastOutsideDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ActivityOutside($id: ID!) { room(id: $id) { lastActivityAt } }"): typeof import('./graphql.ts').ActivityOutsideDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MuteInOrder($roomId: ID!) { muteRoom(input: { roomId: $roomId, muted: true }) { membership { id } } }\n"): typeof import('./graphql.ts').MuteInOrderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkAllRoomsRead { markAllRoomsRead { unread { total rooms { unreadCount } } } }\n"): typeof import('./graphql.ts').MarkAllRoomsReadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MarkRoomUnread($messageId: ID!) {\n    markRoomUnread(input: { messageId: $messageId }) { membership { unreadCount } }\n  }\n"): typeof import('./graphql.ts').MarkRoomUnreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MuteRoom($roomId: ID!, $muted: Boolean!) {\n    muteRoom(input: { roomId: $roomId, muted: $muted }) { membership { muted unreadCount } }\n  }\n"): typeof import('./graphql.ts').MuteRoomDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExplainUnread($roomId: ID!) {\n    room(id: $roomId) { explainUnread { id position body } viewerMembership { unreadCount } }\n  }\n"): typeof import('./graphql.ts').ExplainUnreadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BlockSearched($userId: ID!) { blockUser(input: { userId: $userId }) { user { id } } }\n"): typeof import('./graphql.ts').BlockSearchedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BlockUser($input: BlockUserInput!) { blockUser(input: $input) { user { id handle } } }\n"): typeof import('./graphql.ts').BlockUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnblockUser($input: BlockUserInput!) { unblockUser(input: $input) { user { id handle } } }\n"): typeof import('./graphql.ts').UnblockUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BlockedUsers($first: Int, $after: String) {\n    viewer {\n      blockedUsers(first: $first, after: $after) {\n        edges { node { id } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').BlockedUsersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MentionsOf($input: SendMessageInput!) {\n    sendMessage(input: $input) { message { id body mentions { handle } } }\n  }\n"): typeof import('./graphql.ts').MentionsOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SearchUsers($prefix: String!, $first: Int, $after: String) {\n    searchUsers(prefix: $prefix, first: $first, after: $after) {\n      edges { cursor node { id handle } }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }\n"): typeof import('./graphql.ts').SearchUsersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SearchMembers($roomId: ID!, $prefix: String!, $first: Int, $after: String) {\n    room(id: $roomId) {\n      searchMembers(prefix: $prefix, first: $first, after: $after) {\n        edges { cursor node { id role user { handle } unreadCount } }\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SearchMembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetZone($timeZone: String) {\n    updateProfile(input: { timeZone: $timeZone }) { user { id timeZone } }\n  }\n"): typeof import('./graphql.ts').SetZoneDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ZoneOf($handle: String!) { user(handle: $handle) { timeZone } }"): typeof import('./graphql.ts').ZoneOfDocument;


export function graphql(source: string) {
  return (documents as Record<string, unknown>)[source] ?? {};
}
