import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import ui from '../ui/ui.module.css';
import { onNewRelease } from './newRelease.ts';
import styles from './release.module.css';

const en = { ready: 'A new version is ready.', reload: 'Reload', later: 'Not now' };

const TEXTS: Readonly<Record<Language, typeof en>> = {
  en,
  ja: { ready: '新しいバージョンがあります。', reload: '再読み込み', later: '後で' },
};

/** A notice while the server has a newer release than this page. A reload keeps drafts and unsent messages. */
export default function NewRelease() {
  const texts = TEXTS[useI18n().language];
  const { connection } = useSession().api;
  const [isShown, setIsShown] = useState(false);
  useEffect(() => onNewRelease(connection.state, () => setIsShown(true)), [connection]);
  return (
    <div role="status" data-release="">
      {isShown && (
        <div className={styles.notice}>
          <span>{texts.ready}</span>
          <button type="button" className={ui.quiet} onClick={() => location.reload()}>
            {texts.reload}
          </button>
          <IconButton label={texts.later} onClick={() => setIsShown(false)}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
