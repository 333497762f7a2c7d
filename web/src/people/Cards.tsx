import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { CardContext, type OpenCard } from './card.ts';

const ProfileCard = lazyWithRetry(() => import('./ProfileCard.tsx'));

/** Lets names and avatars open a profile card. There is one card at a time. */
export function Cards({ children }: { readonly children: ReactNode }) {
  const [card, setCard] = useState<OpenCard>();
  const close = useCallback(() => setCard(undefined), []);
  return (
    <CardContext value={setCard}>
      {children}
      <Suspense>{card !== undefined && <ProfileCard card={card} onClose={close} />}</Suspense>
    </CardContext>
  );
}
