import { useI18n } from '../i18n/i18n.ts';
import { Avatar } from '../ui/Avatar.tsx';
import ui from '../ui/ui.module.css';
import styles from './Composer.module.css';
import type { Completion } from './useCompletion.ts';

/** What completes the text being typed. The focus stays in the text field. */
export function CompletionList({ completion }: { readonly completion: Completion }) {
  const { t } = useI18n();
  const { listId, options, chosen, pick } = completion;
  if (options.length === 0) return null;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={t('composer.completions')}
      className={`${ui.popup} ${styles.mentions}`}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
        <div
          key={option.key}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={ui.item}
          data-highlighted={index === chosen || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(option)}
        >
          {typeof option.face === 'string' ? (
            <span className={styles.face} aria-hidden="true">
              {option.face}
            </span>
          ) : (
            <Avatar person={option.face} size={1.5} />
          )}
          <span dir="auto">{option.name}</span>
          {option.hint !== undefined && <span className={ui.soft}>{option.hint}</span>}
        </div>
      ))}
    </div>
  );
}
