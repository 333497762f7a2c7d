import { type FormEvent, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { FirstSinceDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useRoom } from '../timeline/RoomContext.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import { localDay, startOfLocalDay } from './days.ts';
import { useDateTexts } from './texts.ts';

/** The dialog that goes to the first message of a day, or to the next one if there is none on that day. */
export default function JumpToDate({ onClose }: { readonly onClose: () => void }) {
  const { problem } = useI18n();
  const texts = useDateTexts();
  const { api } = useSession();
  const { store, roomId } = useRoom();
  const [today] = useState(() => new Date());
  const [day, setDay] = useState(() => localDay(today));
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function jump(from: Date) {
    setIsBusy(true);
    setError(undefined);
    try {
      const { room } = await api.queryUncached(FirstSinceDocument, { id: roomId, from: from.toISOString() });
      const first = room?.messages.edges[0]?.node.id;
      // Without a message since then, the newest is the nearest.
      await (first === undefined ? store.toNewest() : store.toMessage(first, 'date'));
      onClose();
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  const ago = (months: number, days: number) =>
    new Date(today.getFullYear(), today.getMonth() - months, today.getDate() - days);
  const shortcuts: readonly [string, Date][] = [
    [texts.weekAgo, ago(0, 7)],
    [texts.monthAgo, ago(1, 0)],
    [texts.beginning, new Date(0)],
  ];
  return (
    <Modal title={texts.title} open onClose={onClose}>
      <form
        className={ui.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void jump(startOfLocalDay(day));
        }}
      >
        <label className={ui.field}>
          <span>{texts.date}</span>
          <input
            className={ui.input}
            type="date"
            required
            min="1970-01-01"
            max={localDay(today)}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </label>
        <div className={ui.dialogFoot}>
          {shortcuts.map(([text, from]) => (
            <button
              key={text}
              type="button"
              className={ui.quiet}
              disabled={isBusy}
              onClick={() => void jump(from)}
            >
              {text}
            </button>
          ))}
        </div>
        <FormFoot {...{ error, isBusy, onCancel: onClose }} submit={texts.jump} />
      </form>
    </Modal>
  );
}
