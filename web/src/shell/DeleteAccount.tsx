import { type FormEvent, useId, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { DeleteAccountDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';

export interface DeleteAccountProps {
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes the viewer's account after its handle was typed (its name, if it has none), because no one can undo it. */
export default function DeleteAccount({ onDeleted, onClose }: DeleteAccountProps) {
  const { t, problem } = useI18n();
  const { api, viewer } = useSession();
  const hint = useId();
  const [typed, setTyped] = useState('');
  const [erases, setErases] = useState(false);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const word = viewer.handle ?? viewer.displayName;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim().replace(/^@/, '').toLowerCase() !== word.toLowerCase()) {
      return setError(t('account.deleteMismatch'));
    }
    setIsBusy(true);
    const input = { confirm: viewer.handle ?? viewer.id, eraseMessages: erases };
    try {
      await api.mutate(DeleteAccountDocument, { input });
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      return setIsBusy(false);
    }
    onDeleted();
  }

  return (
    <Modal title={t('account.deleteConfirm')} open onClose={onClose}>
      <form className={ui.form} onSubmit={(event) => void submit(event)}>
        <p id={hint} className={ui.soft}>
          {t('account.deleteHint')}
        </p>
        <label className={ui.check}>
          <input type="checkbox" checked={erases} onChange={({ target }) => setErases(target.checked)} />
          {t('account.deleteErases')}
        </label>
        <label className={ui.field}>
          <span>{t('account.deleteType', { name: word })}</span>
          <input
            className={ui.input}
            aria-describedby={hint}
            autoComplete="off"
            autoCapitalize="none"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setError(undefined);
            }}
          />
        </label>
        <FormFoot
          error={error}
          isBusy={isBusy}
          submit={t('account.delete')}
          kind="danger"
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
