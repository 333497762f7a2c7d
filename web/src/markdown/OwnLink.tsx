import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { LinkedMessageDocument } from '../generated/graphql.ts';
import { useTitle } from '../rooms/title.ts';
import { messageIdOf } from './ownPaths.ts';
import { parse } from './parse.ts';
import { plainText } from './plainText.ts';

export interface OwnLinkProps {
  /** A path of this client. */
  readonly path: string;
  /** The address itself was written, without words of its own. */
  readonly isBare: boolean;
  readonly children: ReactNode;
}

/**
 * A link to a page of this client, which opens in place. The bare address of a message is shown as the room and the
 * beginning of the message, to those who may read it.
 */
export function OwnLink({ path, isBare, children }: OwnLinkProps) {
  const messageId = isBare ? messageIdOf(path) : undefined;
  return (
    <Link href={path}>
      {messageId === undefined ? children : <MessageLink id={messageId}>{children}</MessageLink>}
    </Link>
  );
}

const EXCERPT = 80;

/** Shows the address until the message is there, and if it is not. */
function MessageLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const titleOf = useTitle();
  const [{ data }] = useQuery({ query: LinkedMessageDocument, variables: { id } });
  const message = data?.node;
  if (!message || !('room' in message)) return children;
  const { room, body } = message;
  const title = room.visibility === 'DIRECT' ? titleOf(room) : `#${room.name}`;
  const text = body === null ? '' : plainText(parse(body));
  const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT).trimEnd()}…` : text;
  return excerpt === '' ? title : `${title} › ${excerpt}`;
}
