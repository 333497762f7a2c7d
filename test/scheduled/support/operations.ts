import { graphql } from '../../generated/gql.ts';

export const Schedule = graphql(`
  mutation Schedule($input: ScheduleMessageInput!) {
    scheduleMessage(input: $input) {
      scheduledMessage { id room { id } body replyTo { id } sendAt failure failureReason version }
    }
  }
`);
export const UpdateScheduled = graphql(`
  mutation UpdateScheduled($input: UpdateScheduledMessageInput!) {
    updateScheduledMessage(input: $input) { scheduledMessage { id body sendAt failure version } }
  }
`);
export const CancelScheduled = graphql(`
  mutation CancelScheduled($id: ID!) {
    cancelScheduledMessage(input: { scheduledMessageId: $id }) { cancelled { id body } }
  }
`);
export const ScheduledMessages = graphql(`
  query ScheduledMessages($first: Int, $after: String) {
    viewer {
      scheduledMessages(first: $first, after: $after) {
        edges {
          cursor
          node { id room { id } body replyTo { id } sendAt failure failureReason version }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);
export const ScheduledNode = graphql(`
  query ScheduledNode($id: ID!) { node(id: $id) { ... on ScheduledMessage { id body } } }
`);
export const SentTo = graphql(`
  query SentTo($roomId: ID!) {
    room(id: $roomId) {
      messages(last: 50) { edges { node { id body idempotencyKey author { id } mentions { id } replyCount replies { edges { node { body } } } } } }
    }
  }
`);
export const CostScheduled = graphql(`
  query CostScheduled { viewer { scheduledMessages(first: 10) { edges { node { id sendAt body } } } } }
`);
export const CostSchedule = graphql(`
  mutation CostSchedule($input: ScheduleMessageInput!) {
    scheduleMessage(input: $input) { scheduledMessage { id } }
  }
`);
