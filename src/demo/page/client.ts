/**
 * The start page's way to the server, as a script for it: queries and mutations by HTTP, a subscription by
 * websocket (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
 */
export const CLIENT = `
async function ask(token, query, variables) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json',
      authorization: 'Bearer ' + token,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

/** Calls next(data, isFirst) for each event. A lost connection is made again, and begins with a first event. */
function listen(token, query, { next, lost }) {
  let failures = 0;
  const open = () => {
    let isFirst = true;
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/graphql', 'graphql-transport-ws');
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => send({ type: 'connection_init', payload: { authorization: 'Bearer ' + token } });
    socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
      if (type === 'ping') send({ type: 'pong' });
      if (type === 'error' || type === 'complete' || payload?.errors) return socket.close();
      if (type !== 'next') return;
      failures = 0;
      next(payload.data, isFirst);
      isFirst = false;
    };
    socket.onclose = () => {
      lost();
      setTimeout(open, Math.min(5000, 200 * 2 ** failures++));
    };
  };
  open();
}
`;
