import { Component, type ReactNode } from 'react';

export interface BoundaryProps {
  readonly children: ReactNode;
  /** What is shown where drawing the children failed. */
  readonly instead: ReactNode;
}

/** A fault in what is in it takes away nothing else. */
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
