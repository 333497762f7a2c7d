import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { isComposing } from '../ui/isComposing.ts';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import styles from './Switcher.module.css';
import { type Destination, type SwitcherActions, useDestinations } from './useDestinations.tsx';

export interface SwitcherProps extends SwitcherActions {
  readonly onClose: () => void;
}

/** Opens a room, a person or an action by a few characters of its name. The focus stays in the field. */
export default function Switcher({ onClose, ...actions }: SwitcherProps) {
  const { t } = useI18n();
  const listId = useId();
  const [wanted, setWanted] = useState('');
  const [chosen, setChosen] = useState(0);
  const destinations = useDestinations(wanted, actions);
  const at = Math.min(chosen, destinations.length - 1);
  const idOf = (index: number) => `${listId}-${index}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one is kept in sight.
  useEffect(() => {
    document.getElementById(idOf(at))?.scrollIntoView({ block: 'nearest' });
  }, [at, destinations]);

  const go = (destination: Destination) => {
    onClose();
    destination.go();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || destinations.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: destinations.length - 1 }[event.key];
    const destination = destinations[at];
    if (step !== undefined) setChosen((at + step) % destinations.length);
    else if (event.key === 'Enter' && destination !== undefined) go(destination);
    else return;
    event.preventDefault();
  };

  return (
    <Modal title={t('switcher.title')} open onClose={onClose}>
      <input
        className={ui.input}
        type="text"
        role="combobox"
        aria-expanded={destinations.length > 0}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={destinations.length > 0 ? idOf(at) : undefined}
        aria-label={t('switcher.field')}
        placeholder={t('switcher.field')}
        value={wanted}
        onChange={({ target }) => {
          setWanted(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={t('switcher.title')} className={styles.list}>
        {destinations.map((destination, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
          <div
            key={destination.id}
            id={idOf(index)}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className={`${ui.item} ${styles.item}`}
            data-highlighted={index === at || undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(destination)}
          >
            <span className={styles.face}>{destination.face}</span>
            <span className={styles.name} dir="auto">
              {destination.name}
            </span>
            {destination.hint !== undefined && (
              <span className={`${ui.soft} ${styles.hint}`}>{destination.hint}</span>
            )}
            <span className={styles.group}>{t(`switcher.${destination.group}`)}</span>
          </div>
        ))}
      </div>
      {destinations.length === 0 && (
        <p className={ui.soft} role="status">
          {t('switcher.none')}
        </p>
      )}
    </Modal>
  );
}
