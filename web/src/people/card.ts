import { createContext, type MouseEvent, use } from 'react';

export interface OpenCard {
  /** A global id. */
  readonly userId: string;
  /** What was pressed. The card is beside it. */
  readonly anchor: Element;
}

export const CardContext = createContext<((card: OpenCard) => void) | undefined>(undefined);

/** What opens the card of a user when it is pressed. */
export function useCard(userId: string): (event: MouseEvent<Element>) => void {
  const open = use(CardContext);
  if (open === undefined) throw new Error('useCard is only available inside Cards.');
  return ({ currentTarget }) => open({ userId, anchor: currentTarget });
}
