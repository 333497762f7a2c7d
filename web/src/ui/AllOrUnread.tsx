import { useI18n } from '../i18n/i18n.ts';
import styles from './AllOrUnread.module.css';

const FILTERS = ['all', 'unread'] as const;
type Filter = (typeof FILTERS)[number];

export interface AllOrUnreadProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** Two buttons, of which the one that is pressed says what a list shows. */
export function AllOrUnread({ filter, onChange }: AllOrUnreadProps) {
  const { t } = useI18n();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and these are buttons.
    <div role="group" aria-label={t('notifications.filter')} className={styles.filters}>
      {FILTERS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === filter}
          onClick={() => one !== filter && onChange(one)}
        >
          {t(`notifications.${one}`)}
        </button>
      ))}
    </div>
  );
}
