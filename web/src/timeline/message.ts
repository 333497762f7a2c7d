import type { MessagePartsFragment, PersonFragment } from '../generated/graphql.ts';

/** A message as the server told it; of two copies the one with the higher `version` is newer. */
export type Message = Readonly<MessagePartsFragment>;
export type Person = Readonly<PersonFragment>;

/** A change that is shown before the server has said yes. */
export type Patch = (message: Message) => Message;
