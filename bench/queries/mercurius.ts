/** A peer: Mercurius with graphql-jit on our schema, answering with the values of our answers, from memory. */
import fastify from 'fastify';
import { isObjectType } from 'graphql';
import mercurius from 'mercurius';
import { data, fieldResolver, schema, servePeer } from './memory.ts';

// It has no resolver for all fields, so each has its own. The root has no parent.
for (const type of Object.values(schema.getTypeMap())) {
  if (!isObjectType(type) || type.name.startsWith('__')) continue;
  for (const field of Object.values(type.getFields())) {
    field.resolve =
      type === schema.getQueryType()
        ? (_root, args, context, info) => fieldResolver(data, args, context, info)
        : fieldResolver;
  }
}
const app = fastify();
// Compiled from the second request on.
await app.register(mercurius, { schema, jit: 1 });
const url = await app.listen({ port: 0, host: '127.0.0.1' });
servePeer(url, app.server);
