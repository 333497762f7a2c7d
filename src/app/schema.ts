/**
 * The features that have GraphQL types or operations. Importing a feature's schema adds its types to the builder and
 * does nothing more.
 */
import '../users/blocks/schema.ts';
import '../users/schema.ts';
import '../rooms/schema.ts';
import '../messages/schema.ts';
import '../roomEvents/schema.ts';
import '../reactions/likes/schema.ts';
import '../reactions/stamps/schema.ts';
import '../threads/schema.ts';
import '../unread/schema.ts';
import '../notifications/schema.ts';
import '../notifications/threads/schema.ts';
import '../saved/schema.ts';
import '../roomDeletion/schema.ts';
import '../accountDeletion/schema.ts';
import '../signOut/schema.ts';
import '../scheduled/schema.ts';
import '../delivery/settings/schema.ts';
import '../delivery/channels/schema.ts';
import '../delivery/channels/webPush/schema.ts';
import { listAllWrongFields } from '../graphql/allWrongFields.ts';
import { builder } from '../graphql/builder.ts';
import '../graphql/errorTypes.ts';
import { forgetScopes, resetLoader } from '../graphql/loaderReset.ts';
import { syncIds } from '../graphql/nodes.ts';

/** Call it once per process: there is one builder for all calls. */
export const createSchema = () => syncIds(forgetScopes(resetLoader(listAllWrongFields(builder.toSchema()))));
