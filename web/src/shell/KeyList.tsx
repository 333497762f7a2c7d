import { type TextKey, useI18n } from '../i18n/i18n.ts';
import { TOGGLES } from '../reactions/toggles.ts';
import { Modal } from '../ui/Modal.tsx';
import { Switch } from '../ui/Switch.tsx';
import styles from './Shell.module.css';
import { useSingleKeys } from './singleKeys.ts';

type Keys = readonly (readonly [keys: readonly string[], what: TextKey])[];

/** Keys without Alt or Ctrl. Users can turn them off. */
const SINGLE: Keys = [
  [['?'], 'keys.help'],
  [['C'], 'keys.compose'],
  [['K', 'J'], 'keys.messages'],
  [['T'], 'keys.thread'],
  ...TOGGLES.map(({ key, texts }) => [[key.toUpperCase()], texts.key] as const),
  [['S'], 'keys.react'],
  [['E'], 'keys.edit'],
  [['U'], 'keys.unread'],
];
const OTHERS: Keys = [
  [['Ctrl K'], 'keys.switcher'],
  [['Alt ↑', 'Alt ↓'], 'keys.previousRoom'],
  [['Alt U'], 'keys.unreadRoom'],
  [['Alt N'], 'keys.notifications'],
  [['↑', '↓'], 'keys.messages'],
  [['Enter'], 'keys.thread'],
  [['↑'], 'keys.editLast'],
  [['Enter', 'Shift Enter'], 'keys.send'],
  [['Esc'], 'keys.escape'],
];

/** The dialog that lists all keyboard shortcuts. */
export default function KeyList({ onClose }: { readonly onClose: () => void }) {
  const { t } = useI18n();
  const { areOn, turn } = useSingleKeys();
  return (
    <Modal title={t('keys.title')} open onClose={onClose}>
      <KeyRows keys={OTHERS} />
      <div className={styles.choice}>
        <Switch label={t('keys.single')} hint={t('keys.singleHint')} isOn={areOn} onChange={turn} />
      </div>
      <KeyRows keys={SINGLE} isOff={!areOn} />
    </Modal>
  );
}

function KeyRows({ keys, isOff = false }: { readonly keys: Keys; readonly isOff?: boolean }) {
  const { t } = useI18n();
  return (
    <dl className={`${styles.keys} ${isOff ? styles.off : ''}`}>
      {keys.map(([names, what]) => (
        <KeyRow key={what} names={names} what={t(what)} />
      ))}
    </dl>
  );
}

function KeyRow({ names, what }: { readonly names: readonly string[]; readonly what: string }) {
  return (
    <>
      <dt>
        {names.map((name) => (
          <kbd key={name}>{name}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
