import { Combobox } from '@base-ui/react/combobox';
import { Check, X } from 'lucide-react';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import type { Person } from '../timeline/message.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { isComposing } from '../ui/isComposing.ts';
import ui from '../ui/ui.module.css';
import { byMatch, matches } from './matches.ts';
import styles from './PeoplePicker.module.css';
import { useKnownUsers } from './useKnownUsers.ts';

export interface PeoplePickerProps {
  readonly label: string;
  readonly chosen: readonly Person[];
  readonly onChoose: (people: readonly Person[]) => void;
  /** How many people can be chosen. */
  readonly most: number;
  /** The ids of users who are not offered. */
  readonly without: ReadonlySet<string>;
}

type OnKeyDown = NonNullable<ComponentProps<typeof Combobox.Input>['onKeyDown']>;

/** Lets the viewer choose people they share a room with, or any user by handle. */
export function PeoplePicker({ label, chosen, onChoose, most, without }: PeoplePickerProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState('');
  const known = useKnownUsers(typed);
  const people = useMemo(
    () => (known ?? []).filter(({ id }) => !without.has(id)).sort(byMatch(typed)),
    [known, without, typed],
  );

  const highlighted = useRef<Person>(undefined);

  function choose(value: readonly Person[]): void {
    if (value.length <= most) onChoose(value);
    setTyped('');
  }

  const onKeyDown: OnKeyDown = (event) => {
    // The combobox would move and choose in the list.
    if (isComposing(event.nativeEvent)) return event.preventBaseUIHandler();
    // A user found by the server arrives after the typing, so the combobox has not highlighted them.
    if (event.key !== 'Enter' || typed === '' || highlighted.current !== undefined) return;
    const first = people.find((person) => matches(person, typed));
    event.preventDefault();
    if (first !== undefined && chosen.every(({ id }) => id !== first.id)) choose([...chosen, first]);
  };

  return (
    <Combobox.Root
      multiple
      inline
      open
      autoHighlight
      items={people}
      value={[...chosen]}
      onValueChange={choose}
      onItemHighlighted={(person) => {
        highlighted.current = person;
      }}
      inputValue={typed}
      onInputValueChange={setTyped}
      filter={matches}
      isItemEqualToValue={(one: Person, other: Person) => one.id === other.id}
      itemToStringLabel={({ displayName }: Person) => displayName}
    >
      <Combobox.Chips className={styles.field}>
        {chosen.map((person) => (
          <Combobox.Chip key={person.id} className={styles.chip} aria-label={person.displayName}>
            <Avatar person={person} size={1.25} />
            <span dir="auto">{person.displayName}</span>
            <Combobox.ChipRemove
              className={styles.remove}
              aria-label={t('people.remove', { name: person.displayName })}
            >
              <X aria-hidden="true" />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
        <Combobox.Input
          className={styles.input}
          aria-label={label}
          onKeyDown={onKeyDown}
          placeholder={t(chosen.length === 0 ? 'people.placeholder' : 'people.more')}
        />
      </Combobox.Chips>
      <Combobox.Empty className={styles.none}>
        {t(known === undefined ? 'app.loading' : 'people.none')}
      </Combobox.Empty>
      <Combobox.List className={styles.list} aria-label={t('people.list')}>
        {(person: Person) => (
          <Combobox.Item
            key={person.id}
            value={person}
            className={styles.person}
            disabled={chosen.length >= most && chosen.every(({ id }) => id !== person.id)}
          >
            <Avatar person={person} size={1.9} />
            <span className={styles.name}>
              <span dir="auto">{person.displayName}</span>
              {person.handle !== null && <small>@{person.handle}</small>}
            </span>
            <Combobox.ItemIndicator className={styles.check}>
              <Check aria-hidden="true" />
            </Combobox.ItemIndicator>
          </Combobox.Item>
        )}
      </Combobox.List>
      {chosen.length >= most && <p className={ui.soft}>{t('people.limit', { most })}</p>}
    </Combobox.Root>
  );
}
