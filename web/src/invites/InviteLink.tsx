import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import ui from '../ui/ui.module.css';
import { useCopy } from '../ui/useCopy.ts';
import styles from './invites.module.css';

export interface InviteLinkProps {
  readonly link: string;
  /** It could not be copied, so it is selected for copying by hand. */
  readonly isSelected?: boolean;
}

/** A new link. The server returns its code only once, so it is to be copied now. */
export function InviteLink({ link, isSelected = false }: InviteLinkProps) {
  const { t } = useI18n();
  const copy = useCopy();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isSelected) field.current?.focus();
  }, [isSelected]);

  async function copyLink() {
    // If the browser does not allow it, the link is selected for copying by hand.
    if (!(await copy(link, t('room.copied')))) field.current?.focus();
  }

  return (
    <div className={styles.made}>
      <input
        ref={field}
        className={ui.input}
        aria-label={t('invites.link')}
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" className={ui.button} onClick={() => void copyLink()}>
        <Copy aria-hidden="true" /> {t('invites.copy')}
      </button>
      <p className={ui.soft} role="status">
        {t('invites.once')}
      </p>
    </div>
  );
}
