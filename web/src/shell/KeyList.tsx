import { type TextKey, useI18n } from '../i18n/i18n.ts';
import { Modal } from '../ui/Modal.tsx';
import styles from './Shell.module.css';

const KEYS: readonly (readonly [keys: readonly string[], what: TextKey])[] = [
  [['?'], 'keys.help'],
  [['Alt ↑', 'Alt ↓'], 'keys.previousRoom'],
  [['Alt U'], 'keys.unreadRoom'],
  [['Alt N'], 'keys.notifications'],
  [['↑', '↓'], 'keys.messages'],
  [['T'], 'keys.thread'],
  [['L'], 'keys.like'],
  [['S'], 'keys.react'],
  [['E'], 'keys.edit'],
  [['U'], 'keys.unread'],
  [['C'], 'keys.compose'],
  [['↑'], 'keys.editLast'],
  [['Enter', 'Shift Enter'], 'keys.send'],
  [['Esc'], 'keys.escape'],
];

/** All keys, each with what it does. */
export default function KeyList({ onClose }: { readonly onClose: () => void }) {
  const { t } = useI18n();
  return (
    <Modal title={t('keys.title')} open onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([keys, what]) => (
          <KeyRow key={what} keys={keys} what={t(what)} />
        ))}
      </dl>
    </Modal>
  );
}

function KeyRow({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
