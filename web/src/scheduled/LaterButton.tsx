import { Clock } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/IconButton.tsx';
import { SendLater, type SendLaterProps } from './SendLater.tsx';
import { useScheduledTexts } from './texts.ts';

export interface LaterButtonProps extends Omit<SendLaterProps, 'onClose'> {
  readonly disabled: boolean;
}

/** The button of the composer that opens the dialog. */
export default function LaterButton({ disabled, onScheduled, ...message }: LaterButtonProps) {
  const texts = useScheduledTexts();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <IconButton label={texts.later} disabled={disabled} onClick={() => setIsOpen(true)}>
        <Clock />
      </IconButton>
      {isOpen && (
        <SendLater
          {...message}
          onScheduled={() => {
            close();
            onScheduled();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
