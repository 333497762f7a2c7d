import type { MessagePartsFragment, PersonFragment } from '../generated/graphql.ts';

/** A message from the server. Of two copies, the one with the higher `version` is newer. */
export type Message = Readonly<MessagePartsFragment>;
export type Person = Readonly<PersonFragment>;

/** A change that is shown before the server has confirmed it. */
export type Patch = (message: Message) => Message;
