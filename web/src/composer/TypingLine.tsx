import { useI18n } from '../i18n/i18n.ts';
import type { Person } from '../timeline/message.ts';
import styles from './Composer.module.css';

/** Shows who is typing. The line keeps its height while no one types, so that nothing moves. */
export function TypingLine({ people }: { readonly people: readonly Person[] }) {
  const { t } = useI18n();
  const [first, second] = people;
  return (
    <div className={styles.typing} aria-live="polite">
      {first !== undefined && (
        <>
          <span className={styles.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {t('typing.some', {
            count: people.length,
            first: first.displayName,
            second: second?.displayName ?? '',
          })}
        </>
      )}
    </div>
  );
}
