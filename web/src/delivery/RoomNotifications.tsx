import { type FormEvent, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { asApiError } from '../api/errors.ts';
import {
  type RoomDelivery,
  RoomDeliveryChoiceDocument,
  SetRoomDeliveryDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './late.module.css';
import { useLateTexts } from './lateTexts.ts';

const CHOICES: readonly RoomDelivery[] = ['DEFAULT', 'ALL', 'MENTIONS', 'NOTHING'];

export interface RoomNotificationsProps {
  readonly roomId: string;
  readonly onClose: () => void;
}

/** The dialog that chooses what of a room is delivered outside the page. */
export default function RoomNotifications(props: RoomNotificationsProps) {
  const texts = useLateTexts();
  return (
    <Modal title={texts.room} open onClose={props.onClose}>
      <Form {...props} />
    </Modal>
  );
}

function Form({ roomId, onClose }: RoomNotificationsProps) {
  const { t, problem } = useI18n();
  const texts = useLateTexts();
  const { api } = useSession();
  const toast = useToast();
  const [chosen, setChosen] = useState<RoomDelivery>();
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the language changes.
  useEffect(() => {
    api.queryUncached(RoomDeliveryChoiceDocument, { roomId }).then(
      ({ room }) => setChosen(room?.viewerMembership?.delivery ?? 'DEFAULT'),
      (thrown: unknown) => setError(problem(asApiError(thrown))),
    );
  }, [api, roomId]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (chosen === undefined) return;
    setIsBusy(true);
    try {
      await api.mutateUncached(SetRoomDeliveryDocument, { input: { roomId, delivery: chosen } });
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
        {texts.roomHint} <Link href="/settings/notifications">{texts.settings}</Link>
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
