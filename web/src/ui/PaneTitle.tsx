import type { ReactNode } from 'react';
import { useHasOnePane } from './widths.ts';

/** The heading of what is beside a room. If that covers the room, it is the heading of the page. */
export const PaneTitle = ({ children }: { readonly children: ReactNode }) =>
  useHasOnePane() ? <h1>{children}</h1> : <h2>{children}</h2>;
