/** What GraphiQL shows to who opens it for the first time. */
export const firstQuery = `# Welcome to Tsudoi. Below are a first query, a first subscription and a first message;
# put the cursor into one of them and press Ctrl-Enter (or the play button, and choose).
# Every type, field and argument is described: press Ctrl-Space, or open the docs on the left.
# In development the "Headers" tab below has a token that signs you in as Aki.

# Who am I, and what have I not read yet?
query First {
  viewer {
    user { handle displayName }
    unread {
      total
      rooms { unreadCount room { id name } }
    }
  }
  rooms(first: 10) {
    edges { node { id name topic memberCount } }
  }
}

# The badge, live, over a websocket. Leave it running, open GraphiQL in a second window as Ben
# (his token is on the start page), send a message there, and watch the number here move.
subscription Badge {
  unread {
    total
    rooms { unreadCount room { name } }
    removedRoomIds
  }
}

# Take a room's id from the first query.
mutation Say($roomId: ID!) {
  sendMessage(input: { roomId: $roomId, body: "Hello from GraphiQL!" }) {
    message { id body createdAt author { displayName } }
  }
}
`;
