/** The list of features: each adds its types to the builder when it is imported, and nothing else happens. */
import '../users/schema.ts';
import '../rooms/schema.ts';
import '../messages/schema.ts';
import '../roomEvents/schema.ts';
import '../reactions/likes/schema.ts';
import '../reactions/stamps/schema.ts';
import '../unread/schema.ts';
import '../notifications/schema.ts';
import '../graphql/errors.ts';
import { builder } from '../graphql/builder.ts';
import { resetLoader } from '../graphql/freshReads.ts';

/** Built once a process: the builder is one, too. */
export const createSchema = () => resetLoader(builder.toSchema());
