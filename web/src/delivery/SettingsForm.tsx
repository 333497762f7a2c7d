import { type FormEvent, useEffect, useRef, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { type DeliverySettingsPartsFragment, UpdateDeliverySettingsDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Switch } from '../ui/Switch.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { changesBetween, withUnsaved } from './changes.ts';
import { Digests } from './Digests.tsx';
import { KindRow } from './KindRow.tsx';
import { QuietHours } from './QuietHours.tsx';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

export interface SettingsFormProps {
  readonly settings: Readonly<DeliverySettingsPartsFragment>;
  readonly onSaved: (settings: DeliverySettingsPartsFragment) => void;
}

/** What is delivered, how, and when not. Sends only what was changed. */
export function SettingsForm({ settings, onSaved }: SettingsFormProps) {
  const { t, problem } = useI18n();
  const texts = useDeliveryTexts();
  const { api } = useSession();
  const toast = useToast();
  const [draft, setDraft] = useState(settings);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  /** What the draft was made from. Another part of the page may save, too. */
  const base = useRef(settings);
  useEffect(() => {
    const before = base.current;
    base.current = settings;
    setDraft((unsaved) => withUnsaved(before, unsaved, settings));
  }, [settings]);
  const changes = changesBetween(settings, draft);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (changes === undefined) return;
    const { quietHours } = draft;
    if (quietHours !== null && quietHours.from === quietHours.to) return setError(texts.sameTimes);
    if (quietHours?.days.length === 0) return setError(texts.noDays);
    setIsBusy(true);
    setError(undefined);
    try {
      const input = changes;
      const { updateDeliverySettings } = await api.mutateUncached(UpdateDeliverySettingsDocument, { input });
      onSaved(updateDeliverySettings.settings);
      toast(texts.saved);
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
    }
    setIsBusy(false);
  }

  return (
    <form className={styles.form} onSubmit={save}>
      <section className={styles.section} aria-labelledby="delivery-kinds">
        <h2 id="delivery-kinds">{texts.kinds}</h2>
        <p className={ui.soft}>{texts.kindsHint}</p>
        {draft.kinds.map((kind) => (
          <KindRow
            key={kind.kind}
            setting={kind}
            onChange={(changed) =>
              setDraft({ ...draft, kinds: draft.kinds.map((one) => (one === kind ? changed : one)) })
            }
          />
        ))}
        <Switch
          label={texts.hideText}
          hint={texts.hideTextHint}
          isOn={draft.hideText}
          onChange={(hideText) => setDraft({ ...draft, hideText })}
        />
      </section>
      {settings.sendsEmail && (
        <Digests
          settings={settings}
          digest={draft.emailDigest}
          onChange={(emailDigest) => setDraft({ ...draft, emailDigest })}
          onSaved={onSaved}
        />
      )}
      <QuietHours hours={draft.quietHours} onChange={(quietHours) => setDraft({ ...draft, quietHours })} />
      <FormFoot error={error} submit={t('app.save')} isBusy={isBusy || changes === undefined} />
    </form>
  );
}
