import { useI18n } from '../i18n/i18n.ts';
import { Avatar } from '../ui/Avatar.tsx';
import ui from '../ui/ui.module.css';
import styles from './Composer.module.css';
import type { Mentions } from './useMentions.ts';

/** The people who match the mention being typed. The focus stays in the text field. */
export function MentionList({ mentions: { listId, people, chosen, pick } }: { readonly mentions: Mentions }) {
  const { t } = useI18n();
  if (people.length === 0) return null;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={t('composer.mentions')}
      className={`${ui.popup} ${styles.mentions}`}
    >
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
        <div
          key={person.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={ui.item}
          data-highlighted={index === chosen || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(person)}
        >
          <Avatar person={person} size={1.5} />
          <span dir="auto">{person.displayName}</span>
          <span className={ui.soft}>@{person.handle}</span>
        </div>
      ))}
    </div>
  );
}
