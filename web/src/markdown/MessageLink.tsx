import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { LinkedMessageDocument } from '../generated/graphql.ts';
import { useTitle } from '../rooms/title.ts';
import { parse } from './parse.ts';
import { plainText } from './plainText.ts';

const EXCERPT = 80;

export interface MessageLinkProps {
  /** The message's id. */
  readonly id: string;
  /** Shown until the message is there, and if it is not. */
  readonly children: ReactNode;
}

/** The room and the first words of a message that an address leads to. */
export default function MessageLink({ id, children }: MessageLinkProps) {
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
