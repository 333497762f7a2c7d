/**
 * GraphiQL's way to the server, as a script for its page: operations by HTTP, subscriptions by websocket
 * (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md), one socket each. What the headers editor
 * says goes along with both, as headers or as the payload of `connection_init`.
 */
export const GRAPHIQL_FETCHER = `
function fetcher(params, { headers, documentAST } = {}) {
  const isSubscription = documentAST?.definitions.some(
    ({ kind, operation, name }) =>
      kind === 'OperationDefinition' &&
      operation === 'subscription' &&
      (!params.operationName || name?.value === params.operationName),
  );
  return isSubscription ? subscribe(params, headers) : request(params, headers);
}

async function request(params, headers) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

function subscribe(params, headers) {
  return {
    subscribe(observer) {
      const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[?#].*/s, ''), 'graphql-transport-ws');
      const send = (message) => socket.send(JSON.stringify(message));
      let done = false;
      const end = (how) => {
        if (done) return;
        done = true;
        socket.close(1000);
        how();
      };
      socket.onopen = () => send({ type: 'connection_init', payload: headers });
      socket.onmessage = ({ data }) => {
        const { type, payload } = JSON.parse(data);
        if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: params });
        if (type === 'ping') send({ type: 'pong' });
        if (type === 'next') observer.next(payload);
        if (type === 'complete') end(() => observer.complete());
        if (type === 'error') {
          observer.next({ errors: payload });
          end(() => observer.complete());
        }
      };
      socket.onclose = ({ code, reason }) =>
        end(() => observer.error(new Error('The websocket was closed: ' + code + ' ' + reason)));
      return { unsubscribe: () => end(() => {}) };
    },
  };
}
`;
