/** What GraphiQL shows when it is opened for the first time. The lines are short: the editor has half of the window. */
export const firstQuery = `# Welcome to Tsudoi: a first query, a first
# subscription and a first message. Put the
# cursor into one and press Ctrl-Enter, or
# press play and choose. Everything is
# described: hover over a field, press
# Ctrl-Space, or open the docs on the left.
# The Headers tab below has the token that
# signs you in.

# Who am I, and what have I not read yet?
query First {
  viewer {
    user { handle displayName }
    unread {
      total
      notifications
      rooms { unreadCount room { id name } }
    }
  }
}

# The badge, live, over a websocket. Run it
# as one person and the message below as the
# other, in two windows: /graphql?as=aki and
# /graphql?as=ben
subscription Badge {
  unread {
    total
    notifications
    rooms { unreadCount room { name } }
    removedRoomIds
  }
}

# Say something. The Variables tab below has
# the room.
mutation Say($roomId: ID!) {
  sendMessage(
    input: { roomId: $roomId, body: "Hello, everyone!" }
  ) {
    message { id body createdAt author { displayName } }
  }
}
`;
