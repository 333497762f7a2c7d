import { useI18n } from '../i18n/i18n.ts';
import ui from './ui.module.css';

/** In the place of a part whose script the server does not have, because it has another release than the page. */
export function MissingScript() {
  const { t } = useI18n();
  return (
    <button type="button" className={ui.quiet} title={t('app.partMissing')} onClick={() => location.reload()}>
      {t('app.reload')}
    </button>
  );
}
