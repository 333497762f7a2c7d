import { Globe, Pencil, Trash2 } from 'lucide-react';
import { memo, Suspense, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { excerptOf } from '../notifications/excerpt.ts';
import { AvatarButton, PersonButton } from '../people/PersonButton.tsx';
import { useTitle } from '../rooms/title.ts';
import { messagePath, savedPath } from '../shell/paths.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import rows from '../ui/rows.module.css';
import type { ListedRow } from './listed.ts';
import { Reminder } from './Reminder.tsx';
import { RemoveHidden } from './RemoveHidden.tsx';
import { SaveButton } from './SaveButton.tsx';
import styles from './saved.module.css';
import { isRemovedForGood, type Saved } from './saves.ts';
import { useSavedTexts } from './texts.ts';
import { useSaving } from './useSaving.ts';
import type { Toggle } from './useSelection.ts';

const SaveDialog = lazyWithRetry(() => import('./SaveDialog.tsx'));
/** Characters of a message that name it in a label. */
const NAME = 40;

export interface RowProps {
  readonly row: ListedRow;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onChange: (key: string, saved: Saved | null) => void;
  readonly onSelect: (toggle: Toggle) => void;
}

/** A row is rendered again only if something about it has changed, not while the list scrolls. */
export const Row = memo(function Row({ row, index, onChange, isSelected, onSelect }: RowProps) {
  const { key, message, messageId, isUnloaded, saved, mark } = row;
  const change = useCallback((next: Saved | null) => onChange(key, next), [onChange, key]);
  const { t, ago, dateTime } = useI18n();
  const texts = useSavedTexts();
  const titleOf = useTitle();
  const missing = isUnloaded ? t('app.loading') : texts.withheld;
  const text = message === null ? missing : (message.body ?? t('message.deleted'));
  const name = text.length > NAME ? `${text.slice(0, NAME)}…` : text;
  return (
    <article className={`${rows.row} ${styles.row}`} data-selected={isSelected || undefined}>
      {saved !== null && (
        <input
          type="checkbox"
          className={styles.select}
          aria-label={texts.selectOf(name)}
          checked={isSelected}
          onChange={({ target, nativeEvent }) =>
            onSelect({
              index,
              isOn: target.checked,
              isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
            })
          }
        />
      )}
      {message !== null && <AvatarButton person={message.author} />}
      <div className={`${rows.about} ${styles.about}`}>
        {message !== null && (
          <p className={`${rows.who} ${styles.who}`}>
            <PersonButton userId={message.author.id} name={nameOf(t, message.author)} />
            <span dir="auto">{titleOf(message.room)}</span>
            <time dateTime={message.createdAt} title={dateTime(message.createdAt)}>
              {ago(message.createdAt)}
            </time>
          </p>
        )}
        {message === null ? (
          <em className={`${rows.text} ${styles.text}`}>{text}</em>
        ) : (
          <Link
            href={messagePath(message.room.id, message.id)}
            className={`${rows.text} ${styles.text}`}
            dir="auto"
          >
            <ErrorBoundary key={text} fallback={text}>
              <Excerpt body={text} />
            </ErrorBoundary>
          </Link>
        )}
        {saved?.note != null && (
          <p className={styles.saidNote} dir="auto">
            {saved.note}
          </p>
        )}
        {saved !== null && <About saved={saved} />}
      </div>
      {saved === null ? (
        message !== null && <SaveButton message={{ id: message.id, viewerSaved: mark }} />
      ) : (
        <Tools saved={saved} messageId={messageId} name={name} onChange={change} />
      )}
    </article>
  );
});

const Excerpt = ({ body }: { readonly body: string }) => excerptOf(body);

/** The tags, the visibility and the reminder. */
function About({ saved }: { readonly saved: Saved }) {
  const texts = useSavedTexts();
  const { tags, visibility, remindAt } = saved;
  if (tags.length === 0 && visibility === 'PRIVATE' && remindAt === null) return null;
  return (
    <p className={styles.marks}>
      {remindAt !== null && <Reminder at={remindAt} />}
      {visibility === 'PUBLIC' && (
        <span>
          <Globe aria-hidden="true" /> {texts.public}
        </span>
      )}
      {tags.map((tag) => (
        <Link key={tag} href={savedPath({ tag })} className={styles.tag} dir="auto">
          {tag}
        </Link>
      ))}
    </p>
  );
}

interface ToolsProps {
  readonly onChange: (saved: Saved | null) => void;
  readonly saved: Saved;
  readonly messageId: string | null;
  readonly name: string;
}

function Tools({ saved, messageId, name, onChange }: ToolsProps) {
  const texts = useSavedTexts();
  const [isOpen, setIsOpen] = useState(false);
  const [confirms, setConfirms] = useState(false);
  const { remove } = useSaving({ messageId, mark: saved, onChange });
  return (
    <span className={styles.tools}>
      <IconButton label={texts.editOf(name)} title={texts.edit} onClick={() => setIsOpen(true)}>
        <Pencil />
      </IconButton>
      <IconButton
        label={texts.removeOf(name)}
        title={texts.remove}
        data-remove
        // The next row's button gets the focus: a key that is held must not remove one row after the other.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={() => (isRemovedForGood({ messageId }) ? setConfirms(true) : void remove())}
      >
        <Trash2 />
      </IconButton>
      <RemoveHidden open={confirms} onConfirm={() => void remove()} onClose={() => setConfirms(false)} />
      {isOpen && (
        <Suspense>
          <SaveDialog
            messageId={messageId}
            onChange={onChange}
            mark={saved}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
}
