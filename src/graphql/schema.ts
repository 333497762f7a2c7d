/** The list of features: each adds its types to the builder when it is imported, and nothing else happens. */
import '../users/schema.ts';
import '../rooms/schema.ts';
import '../messages/schema.ts';
import '../events/schema.ts';
import '../likes/schema.ts';
import '../stamps/schema.ts';
import '../unread/schema.ts';
import '../notifications/schema.ts';
import './errors.ts';
import { builder } from './builder.ts';
import { freshReads } from './freshReads.ts';

/** Built once a process: the builder is one, too. */
export const createSchema = () => freshReads(builder.toSchema());
