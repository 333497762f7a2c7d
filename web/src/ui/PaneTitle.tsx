import type { ReactNode, Ref } from 'react';
import { useHasOnePane } from './widths.ts';

export interface PaneTitleProps {
  /** For a heading that gets the focus. */
  readonly ref?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

/** The heading of what is beside a room. If that covers the room, it is the heading of the page. */
export function PaneTitle({ ref, children }: PaneTitleProps) {
  const Heading = useHasOnePane() ? 'h1' : 'h2';
  return (
    <Heading ref={ref} tabIndex={ref === undefined ? undefined : -1}>
      {children}
    </Heading>
  );
}
