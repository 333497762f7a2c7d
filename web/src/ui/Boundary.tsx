import { Component, type ReactNode } from 'react';

export interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown if rendering the children failed. */
  readonly instead: ReactNode;
}

/** Contains a rendering error, so that the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
