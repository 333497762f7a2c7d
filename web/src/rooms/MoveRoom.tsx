import { type FormEvent, useId, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { ArrangeRoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import { useArrangeTexts } from './arrangeTexts.ts';
import type { MemberRoom } from './useCachedRoom.ts';
import { useOwnRooms } from './useOwnRooms.ts';

export interface MoveRoomProps {
  readonly room: MemberRoom;
  readonly onClose: () => void;
}

/** The limit of the server, in characters. */
const SECTION_MAX = 40;

/** Puts the room in a section of the viewer's list: one that is there, or a new one. */
export default function MoveRoom({ room, onClose }: MoveRoomProps) {
  const { problem } = useI18n();
  const s = useArrangeTexts();
  const { api } = useSession();
  const list = useId();
  const hint = useId();
  const before = room.viewerMembership?.section ?? '';
  const [section, setSection] = useState(before);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const names = [...new Set((useOwnRooms() ?? []).flatMap((own) => own.section ?? []))].sort();

  async function move(to: string) {
    setIsBusy(true);
    setError(undefined);
    try {
      const input = { roomId: room.id, section: to === '' ? null : to };
      await api.mutate(ArrangeRoomDocument, { input });
      onClose();
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  return (
    <Modal title={s.title} open onClose={onClose}>
      <form
        className={ui.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void move(section.trim());
        }}
      >
        <p id={hint} className={ui.soft}>
          {s.hint}
        </p>
        <label className={ui.field}>
          <span>{s.section}</span>
          <input
            className={ui.input}
            dir="auto"
            list={list}
            autoComplete="off"
            maxLength={SECTION_MAX}
            placeholder={s.placeholder}
            aria-describedby={hint}
            value={section}
            onChange={({ target }) => setSection(target.value)}
          />
        </label>
        <datalist id={list}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {before !== '' && (
          <div>
            <BusyButton className={ui.quiet} isBusy={isBusy} onClick={() => void move('')}>
              {s.none}
            </BusyButton>
          </div>
        )}
        <FormFoot
          error={error}
          onCancel={onClose}
          submit={s.save}
          isBusy={isBusy || section.trim() === '' || section.trim() === before}
        />
      </form>
    </Modal>
  );
}
