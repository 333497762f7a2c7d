import type { Config } from '../config.ts';
import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import type { Services } from '../graphql/context.ts';
import { compileText } from '../graphql/textExecution.ts';
import { createSharedExecution } from '../live/sharedExecution.ts';
import { createAnonymousLimit } from '../rateLimits/anonymousLimit.ts';
import { createUserUsage } from '../rateLimits/userUsage.ts';
import { createServer, type Server, type ServerOptions } from '../server/server.ts';
import { createSchema } from './schema.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';

export interface ApiServerOptions
  extends Pick<
    ServerOptions,
    | 'log'
    | 'metrics'
    | 'tracer'
    | 'health'
    | 'revoked'
    | 'page'
    | 'graphiql'
    | 'files'
    | 'memory'
    | 'onClose'
    | 'receivesEvents'
    | 'limits'
  > {
  readonly config: Config;
  readonly services: Services;
  readonly dynamo: Dynamo;
}

/** The server of the API and the web client. */
export function createApiServer(options: ApiServerOptions): Server {
  const { services, dynamo, ...served } = options;
  const { config, metrics } = options;
  const { anonymous: rate } = config.rateLimits;
  const onRefused = (action: string) => metrics.rateLimited.inc({ act: action });
  const onAnonymousRefused = () => onRefused('anonymous');
  return createServer({
    ...served,
    ...defined({
      anonymous: rate && createAnonymousLimit({ rate, onRefused: onAnonymousRefused }),
    }),
    usage: createUserUsage({ limits: config.userLimits, onRefused }),
    schema: createSchema(),
    signedInOnly: true,
    subscribe: createSharedExecution(),
    compile: compileText,
    forms: unsubscribeRoutes(services.unsubscribing),
    context: async (identity, { acceptLanguage }) => ({
      viewer: identity === null ? null : await services.users.ensure(identity),
      identity,
      services,
      acceptLanguage,
      items: createItemLoader(dynamo, services.profileCache),
    }),
  });
}
