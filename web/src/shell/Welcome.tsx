import { useI18n } from '../i18n/i18n.ts';
import { Mark } from '../ui/Mark.tsx';
import { useHasOneColumn } from '../ui/widths.ts';
import styles from './Shell.module.css';
import { useSingleKeys } from './singleKeys.ts';

/** Shown while no room is open. On a phone, the list of rooms is there instead. */
export function Welcome() {
  const { t } = useI18n();
  const { areOn } = useSingleKeys();
  if (useHasOneColumn()) return null;
  return (
    <main id="main" className={styles.welcome}>
      <Mark />
      <h1>{t('rooms.choose')}</h1>
      <p>{t('rooms.chooseHint')}</p>
      {areOn && <p>{t('rooms.keysHint', { key: '?' })}</p>}
    </main>
  );
}
