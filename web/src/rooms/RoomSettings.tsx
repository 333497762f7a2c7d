import { type FormEvent, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { UpdateRoomDocument, type UpdateRoomInput } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import type { Permissions } from '../members/permissions.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import type { OwnRoom } from './list.ts';
import { MemberSeats } from './MemberSeats.tsx';

export interface RoomSettingsProps {
  readonly room: OwnRoom['room'];
  readonly permissions: Permissions;
  readonly onClose: () => void;
}

/** Changes a room's name, topic and capacity. */
export default function RoomSettings(props: RoomSettingsProps) {
  const { t } = useI18n();
  return (
    <Modal title={t('settings.title')} open onClose={props.onClose}>
      <Form {...props} />
    </Modal>
  );
}

function Form({ room, permissions, onClose }: RoomSettingsProps) {
  const { t, problem } = useI18n();
  const { api, rooms } = useSession();
  const toast = useToast();
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const changes = changesIn(new FormData(event.currentTarget), room);
    if (Object.keys(changes).length === 0) return onClose();
    if (changes.name === '') return setError(t('create.nameNeeded'));
    setIsBusy(true);
    try {
      await api.mutate(UpdateRoomDocument, { input: { roomId: room.id, ...changes } });
      toast(t('settings.saved'));
      onClose();
    } catch (thrown) {
      const failure = asApiError(thrown);
      if (failure.code === 'CONFLICT') await rooms.refreshRoom(room.id);
      setError(problem(failure));
      setIsBusy(false);
    }
  }

  return (
    <form className={ui.form} onSubmit={submit}>
      <label className={ui.field}>
        <span>{t('create.name')}</span>
        <input
          className={ui.input}
          name="name"
          required
          maxLength={80}
          autoComplete="off"
          defaultValue={room.name}
        />
      </label>
      <label className={ui.field}>
        <span>{t('create.topic')}</span>
        <input
          className={ui.input}
          name="topic"
          maxLength={250}
          autoComplete="off"
          defaultValue={room.topic ?? ''}
        />
      </label>
      <div className={ui.field}>
        <label className={ui.field}>
          <span>{t('create.capacity')}</span>
          <input
            className={ui.input}
            name="capacity"
            type="number"
            min={1}
            max={1_000_000}
            inputMode="numeric"
            aria-describedby="seats-hint"
            disabled={!permissions.canChangeCapacity}
            defaultValue={room.capacity ?? ''}
          />
        </label>
        <p id="seats-hint" className={ui.soft}>
          {permissions.canChangeCapacity
            ? t('settings.seatsHint', { count: room.memberCount })
            : t('settings.ownersOnly')}
        </p>
        <MemberSeats roomId={room.id} />
      </div>
      <FormFoot error={error} submit={t('app.save')} isBusy={isBusy} onCancel={onClose} />
    </form>
  );
}

/** Contains only changed fields: the server refuses a capacity from a moderator even if it is unchanged. */
function changesIn(form: FormData, room: OwnRoom['room']): Omit<UpdateRoomInput, 'roomId'> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const capacity = text('capacity') === '' ? null : Number(text('capacity'));
  return {
    ...(text('name') === room.name ? {} : { name: text('name') }),
    ...(text('topic') === (room.topic ?? '') ? {} : { topic: text('topic') === '' ? null : text('topic') }),
    ...(!form.has('capacity') || capacity === room.capacity ? {} : { capacity }),
  };
}
