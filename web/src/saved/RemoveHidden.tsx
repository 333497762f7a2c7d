import { Confirm } from '../ui/Confirm.tsx';
import { useSavedTexts } from './texts.ts';

export interface RemoveHiddenProps {
  readonly open: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a message is removed that the viewer may not see any more: nothing can restore its note and tags. */
export function RemoveHidden(props: RemoveHiddenProps) {
  const texts = useSavedTexts();
  return (
    <Confirm title={texts.removeHidden} hint={texts.removeHiddenHint} action={texts.remove} {...props} />
  );
}
