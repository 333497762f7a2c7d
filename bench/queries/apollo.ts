/** A peer: Apollo Server on our schema, answering with the values of our answers, from memory. */
import { createServer } from 'node:http';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { listening } from '../fanOut/servers/server.ts';
import { data, fieldResolver, schema, servePeer } from './memory.ts';

const apollo = new ApolloServer({ schema, rootValue: () => data, fieldResolver });
await apollo.start();

/** As in the guide for integrations: Apollo brings only Express', which would cost more. */
const http = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: 'POST',
      headers,
      search: '',
      body: JSON.parse(Buffer.concat(chunks).toString()),
    },
    context: async () => ({}),
  });
  if (answer.body.kind !== 'complete') throw new Error('The answer comes in parts.');
  response.writeHead(answer.status ?? 200, Object.fromEntries(answer.headers));
  response.end(answer.body.string);
});
servePeer(await listening(http), http);
