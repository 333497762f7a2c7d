import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { asApiError } from '../api/errors.ts';
import { readForEffect } from '../api/retry.ts';
import {
  type RoomDelivery,
  RoomDeliveryChoiceDocument,
  SetRoomDeliveryDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal, type ModalProps } from '../ui/Modal.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './late.module.css';
import { useLateTexts } from './lateTexts.ts';

const CHOICES: readonly RoomDelivery[] = ['DEFAULT', 'ALL', 'MENTIONS', 'NOTHING'];

export interface RoomNotificationsProps {
  readonly roomId: string;
  /** The room's title, in the settings, which show many rooms. Without it, the dialog has a link to them. */
  readonly name?: string;
  readonly onClose: () => void;
  readonly finalFocus?: ModalProps['finalFocus'];
}

/** The dialog that chooses what of a room is delivered outside the page. */
export default function RoomNotifications({ finalFocus, ...form }: RoomNotificationsProps) {
  const texts = useLateTexts();
  return (
    <Modal
      title={form.name === undefined ? texts.room : texts.roomNamed(form.name)}
      open
      onClose={form.onClose}
      {...(finalFocus === undefined ? {} : { finalFocus })}
    >
      <Form {...form} />
    </Modal>
  );
}

function Form({ roomId, name, onClose }: Omit<RoomNotificationsProps, 'finalFocus'>) {
  const { t, problem } = useI18n();
  const texts = useLateTexts();
  const { api } = useSession();
  const toast = useToast();
  const [chosen, setChosen] = useState<RoomDelivery>();
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the language changes.
  useEffect(() => {
    const read = () => api.queryUncached(RoomDeliveryChoiceDocument, { roomId });
    return readForEffect(api.connection.backoff, read, {
      onRead({ room }) {
        setChosen(room?.viewerMembership?.delivery ?? 'DEFAULT');
        setError(undefined);
      },
      onFailure: (failure) => setError(problem(failure)),
    });
  }, [api, roomId]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (chosen === undefined) return;
    setIsBusy(true);
    try {
      await api.mutate(SetRoomDeliveryDocument, { input: { roomId, delivery: chosen } });
      toast(texts.saved);
      onClose();
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  if (chosen === undefined && error === undefined) {
    return (
      <p className={ui.soft} role="status">
        {t('app.loading')}
      </p>
    );
  }
  return (
    <form className={ui.form} onSubmit={submit}>
      <p className={ui.soft}>
        {texts.roomHint} {name === undefined && <Link href="/settings/notifications">{texts.settings}</Link>}
      </p>
      <fieldset className={styles.choices} disabled={chosen === undefined}>
        <legend className="visually-hidden">{texts.room}</legend>
        {CHOICES.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="delivery"
              value={choice}
              checked={chosen === choice}
              onChange={() => setChosen(choice)}
            />
            <span>
              {texts.choice[choice]}
              <small className={ui.soft}>{texts.choiceHint[choice]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <FormFoot error={error} submit={t('app.save')} isBusy={isBusy || chosen === undefined} />
    </form>
  );
}
