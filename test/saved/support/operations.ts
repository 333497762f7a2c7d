import { graphql } from '../../generated/gql.ts';

export const SaveMessage = graphql(`
  mutation SaveMessage($input: SaveMessageInput!) {
    saveMessage(input: $input) {
      savedMessage { id visibility note tags remindAt version savedAt savedBy { id } message { id body } }
    }
  }
`);

export const RemoveSavedMessage = graphql(`
  mutation RemoveSavedMessage($input: RemoveSavedMessageInput!) {
    removeSavedMessage(input: $input) { removed { id visibility note tags remindAt } message { id } }
  }
`);

export const SavedMessages = graphql(`
  query SavedMessages(
    $visibility: SavedVisibility
    $tags: [String!]
    $tagIds: [ID!]
    $untagged: Boolean
    $orderBy: SavedOrder
    $from: DateTime
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    viewer {
      savedMessages(
        visibility: $visibility
        tags: $tags
        tagIds: $tagIds
        untagged: $untagged
        orderBy: $orderBy
        from: $from
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        edges { cursor node { id visibility note tags version savedAt message { id body } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const SavedCounts = graphql(`
  query SavedCounts { viewer { savedCounts { total public private untagged } } }
`);

export const SavedMarks = graphql(`
  query SavedMarks($roomId: ID!) {
    room(id: $roomId) {
      messages(last: 10) { edges { node { id viewerHasLiked viewerSaved { id tags visibility } } } }
    }
  }
`);

export const SavedNode = graphql(`
  query SavedNode($id: ID!) {
    node(id: $id) { ... on SavedMessage { id version visibility note tags remindAt savedBy { id } message { id } } }
  }
`);

export const SnoozeReminder = graphql(`
  mutation SnoozeReminder($id: ID!, $remindAt: DateTime!) {
    snoozeReminder(input: { savedMessageId: $id, remindAt: $remindAt }) { savedMessage { id remindAt version } }
  }
`);

export const Reminders = graphql(`
  query Reminders($first: Int, $after: String) {
    viewer {
      reminders(first: $first, after: $after) {
        edges { node { id remindAt tags message { id } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const SavedTags = graphql(`
  query SavedTags(
    $prefix: String
    $orderBy: SavedTagOrder
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    viewer {
      savedTags(
        prefix: $prefix
        orderBy: $orderBy
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        edges { cursor node { id name count publicCount } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);

export const SavedTagNode = graphql(`
  query SavedTagNode($id: ID!) { node(id: $id) { ... on SavedTag { id name count publicCount } } }
`);

export const SavedChanged = graphql(`
  subscription SavedChanged {
    savedChanged {
      savedMessage { id note tags version visibility message { id body } }
      removedId
      version
      counts { total public private untagged }
    }
  }
`);

export const RenameSavedTag = graphql(`
  mutation RenameSavedTag($input: RenameSavedTagInput!) {
    renameSavedTag(input: $input) { tag { id name count publicCount } job { id kind state text } }
  }
`);

export const MergeSavedTags = graphql(`
  mutation MergeSavedTags($input: MergeSavedTagsInput!) {
    mergeSavedTags(input: $input) { job { id kind state done total text failure finishedAt } }
  }
`);

export const DeleteSavedTag = graphql(`
  mutation DeleteSavedTag($input: DeleteSavedTagInput!) {
    deleteSavedTag(input: $input) { job { id kind state done total text } }
  }
`);

export const SetVisibilityOfTagged = graphql(`
  mutation SetVisibilityOfTagged($input: SetVisibilityOfTaggedInput!) {
    setVisibilityOfTagged(input: $input) { job { id kind state done total text } }
  }
`);

export const CancelJob = graphql(`
  mutation CancelJob($input: CancelJobInput!) { cancelJob(input: $input) { job { id state } } }
`);

export const Jobs = graphql(`
  query Jobs($first: Int, $after: String) {
    viewer {
      jobs(first: $first, after: $after) {
        edges { node { id kind state done total remainingSeconds failure failureReason createdAt } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const JobChanged = graphql(`
  subscription JobChanged($jobId: ID!) { jobChanged(jobId: $jobId) { id state done total } }
`);

export const JobNode = graphql(`query JobNode($id: ID!) { node(id: $id) { ... on Job { id state done } } }`);

export const PublicSaved = graphql(`
  query PublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder, $first: Int, $after: String) {
    node(id: $id) {
      ... on User {
        savedMessages(tag: $tag, orderBy: $orderBy, first: $first, after: $after) {
          edges { cursor node { id note tags visibility savedBy { id } remindAt version message { id body } } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);

export const PublicSavedTags = graphql(`
  query PublicSavedTags($id: ID!, $first: Int, $after: String) {
    node(id: $id) {
      ... on User {
        savedTags(first: $first, after: $after) {
          edges { cursor node { name count } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);

export const PublicSaves = graphql(`
  query PublicSaves($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    node(id: $id) {
      ... on Message {
        version
        publicSaveCount
        publicSaves(first: $first, after: $after, last: $last, before: $before) {
          edges { cursor node { id note tags remindAt version savedBy { id } } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }
    }
  }
`);
