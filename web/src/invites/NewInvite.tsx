import { type FormEvent, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { CreateInviteDocument, type InvitePartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { invitePath } from '../shell/paths.ts';
import ui from '../ui/ui.module.css';
import { InviteLink } from './InviteLink.tsx';
import styles from './invites.module.css';

export interface NewInviteProps {
  readonly roomId: string;
  readonly onMade: (invite: Readonly<InvitePartsFragment>) => void;
}

const HOURS = [1, 24, 168, 720] as const;
const USES = [1, 5, 25, 100] as const;

/** Creates a link. The server returns its code only once, so the link stays visible until the dialog is closed. */
export function NewInvite({ roomId, onMade }: NewInviteProps) {
  const { t, problem } = useI18n();
  const { api } = useSession();
  const [link, setLink] = useState<string>();
  const [error, setError] = useState<string>();

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const maxUses = Number(form.get('uses'));
    setError(undefined);
    try {
      const { createInvite } = await api.mutate(CreateInviteDocument, {
        input: {
          roomId,
          expiresInHours: Number(form.get('hours')),
          ...(maxUses === 0 ? {} : { maxUses }),
        },
      });
      setLink(`${location.origin}${invitePath(createInvite.code)}`);
      onMade(createInvite.invite);
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
    }
  }

  return (
    <form className={ui.form} onSubmit={make}>
      <p className={ui.soft}>{t('invites.hint')}</p>
      <div className={styles.choices}>
        <label className={ui.field}>
          <span>{t('invites.expires')}</span>
          <select className={ui.input} name="hours" defaultValue={168}>
            {HOURS.map((hours) => (
              <option key={hours} value={hours}>
                {hours < 24 ? t('invites.hours', { hours }) : t('invites.days', { days: hours / 24 })}
              </option>
            ))}
          </select>
        </label>
        <label className={ui.field}>
          <span>{t('invites.maxUses')}</span>
          <select className={ui.input} name="uses" defaultValue={0}>
            <option value={0}>{t('invites.noLimit')}</option>
            {USES.map((uses) => (
              <option key={uses} value={uses}>
                {t('invites.people', { uses })}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className={link === undefined ? ui.button : ui.quiet}>
          {t(link === undefined ? 'invites.create' : 'invites.another')}
        </button>
      </div>
      {error !== undefined && (
        <p className={ui.error} role="alert">
          {error}
        </p>
      )}
      {link !== undefined && <InviteLink link={link} />}
    </form>
  );
}
