import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { asApiError } from '../api/errors.ts';
import { DeleteRoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';

export interface DeleteRoomProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Deletes a room after its name was typed, because no one can undo it. */
export default function DeleteRoom({ id, name, onClose }: DeleteRoomProps) {
  const { t, problem } = useI18n();
  const { api, rooms } = useSession();
  const [, navigate] = useLocation();
  const toast = useToast();
  const hint = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() !== name.trim()) return setError(t('room.deleteMismatch'));
    setIsBusy(true);
    try {
      await rooms.changeMembership(
        () => api.mutate(DeleteRoomDocument, { input: { roomId: id } }),
        () => id,
      );
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      return setIsBusy(false);
    }
    navigate('/');
    toast(t('room.deleted', { name }));
  }

  return (
    <Modal title={t('room.deleteConfirm', { name })} open onClose={onClose}>
      <form className={ui.form} onSubmit={(event) => void submit(event)}>
        <p id={hint} className={ui.soft}>
          {t('room.deleteHint')}
        </p>
        <label className={ui.field}>
          <span>{t('room.deleteType', { name })}</span>
          <input
            className={ui.input}
            aria-describedby={hint}
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setError(undefined);
            }}
          />
        </label>
        <FormFoot error={error} submit={t('room.delete')} isBusy={isBusy} kind="danger" onCancel={onClose} />
      </form>
    </Modal>
  );
}
