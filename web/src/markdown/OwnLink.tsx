import { type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { messageIdOf } from './ownPaths.ts';

export interface OwnLinkProps {
  /** A path of this client. */
  readonly path: string;
  /** The address itself was written, without words of its own. */
  readonly isBare: boolean;
  readonly children: ReactNode;
}

const MessageLink = lazyWithRetry(
  () => import('./MessageLink.tsx'),
  ({ children }) => children,
);

/**
 * A link to a page of this client, which opens in place. The bare address of a message is shown as the room and the
 * beginning of the message, to those who may read it.
 */
export function OwnLink({ path, isBare, children }: OwnLinkProps) {
  const messageId = isBare ? messageIdOf(path) : undefined;
  return (
    <Link href={path}>
      {messageId === undefined ? (
        children
      ) : (
        <Suspense fallback={children}>
          <MessageLink id={messageId}>{children}</MessageLink>
        </Suspense>
      )}
    </Link>
  );
}
