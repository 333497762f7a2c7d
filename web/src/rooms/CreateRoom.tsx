import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { asApiError } from '../api/errors.ts';
import { CreateRoomDocument, type CreateRoomInput } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import styles from './rooms.module.css';

export interface CreateRoomProps {
  readonly onClose: () => void;
}

export default function CreateRoom({ onClose }: CreateRoomProps) {
  const { t } = useI18n();
  return (
    <Modal title={t('create.title')} open onClose={onClose}>
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: CreateRoomProps) {
  const { t, problem } = useI18n();
  const { api, rooms } = useSession();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const capacity = text('capacity');
    if (text('name') === '') return setError(t('create.nameNeeded'));
    setIsBusy(true);
    try {
      const input: CreateRoomInput = {
        name: text('name'),
        visibility: text('visibility') === 'PRIVATE' ? 'PRIVATE' : 'PUBLIC',
        ...(text('topic') === '' ? {} : { topic: text('topic') }),
        ...(capacity === '' ? {} : { capacity: Number(capacity) }),
      };
      const { createRoom } = await rooms.changeMembership(
        () => api.mutate(CreateRoomDocument, { input }),
        (made) => made.createRoom.room.id,
      );
      onClose();
      navigate(roomPath(createRoom.room.id));
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  return (
    <form className={ui.form} onSubmit={submit}>
      <label className={ui.field}>
        <span>{t('create.name')}</span>
        <input className={ui.input} name="name" required maxLength={80} autoComplete="off" />
      </label>
      <label className={ui.field}>
        <span>{t('create.topic')}</span>
        <input className={ui.input} name="topic" maxLength={250} autoComplete="off" />
      </label>
      <fieldset className={styles.choices}>
        <legend>{t('create.visibility')}</legend>
        <label>
          <input type="radio" name="visibility" value="PUBLIC" defaultChecked /> {t('create.public')}
        </label>
        <label>
          <input type="radio" name="visibility" value="PRIVATE" /> {t('create.private')}
        </label>
      </fieldset>
      <label className={ui.field}>
        <span>{t('create.capacity')}</span>
        <input
          className={ui.input}
          name="capacity"
          type="number"
          min={1}
          max={1_000_000}
          inputMode="numeric"
        />
      </label>
      <FormFoot error={error} submit={t('create.submit')} isBusy={isBusy} />
    </form>
  );
}
