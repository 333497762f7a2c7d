import { type FormEvent, useId, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import {
  type ProfileFragment,
  UpdateProfileDocument,
  type UpdateProfileInput,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { zoneOfBrowser } from '../i18n/zone.ts';
import { useSession } from '../session/session.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

export interface ProfileFormProps {
  readonly profile: Readonly<ProfileFragment>;
  /** What is shown may be out of date, and cannot be changed. */
  readonly isLoading: boolean;
  readonly onSaved: (profile: ProfileFragment) => void;
}

/** How others see the viewer. Sends only what was changed. */
export function ProfileForm({ profile, isLoading, onSaved }: ProfileFormProps) {
  const { t, problem } = useI18n();
  const s = useSettingsTexts();
  const { api } = useSession();
  const toast = useToast();
  const [draft, setDraft] = useState(() => draftOf(profile));
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const input = changesBetween(draftOf(profile), draft);

  const wordsFor = (failure: ApiError): string => {
    const { code, field } = failure;
    const own = { handle: s.handleWrong, avatarUrl: s.pictureWrong, displayName: s.nameWrong };
    const wrong = code === 'BAD_USER_INPUT' && field?.replace('input.', '');
    return wrong && wrong in own ? own[wrong as keyof typeof own] : problem(failure);
  };

  async function save(event: FormEvent) {
    event.preventDefault();
    if (input === undefined) return;
    if (input.displayName === null) return setError(s.nameWrong);
    setIsBusy(true);
    setError(undefined);
    try {
      const { updateProfile } = await api.mutate(UpdateProfileDocument, { input });
      setDraft(draftOf(updateProfile.user));
      onSaved(updateProfile.user);
      toast(s.saved);
    } catch (thrown) {
      setError(wordsFor(asApiError(thrown)));
    }
    setIsBusy(false);
  }

  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setError(undefined);
  };
  return (
    <form aria-busy={isLoading} onSubmit={(event) => void save(event)} noValidate>
      <fieldset className={`${ui.form} ${styles.plain}`} disabled={isLoading}>
        <Field label={s.name} value={draft.displayName} onChange={(displayName) => change({ displayName })} />
        <Field
          label={s.handle}
          hint={s.handleHint}
          value={draft.handle}
          onChange={(handle) => change({ handle })}
        />
        <PictureField
          profile={profile}
          address={draft.avatarUrl}
          onChange={(avatarUrl) => change({ avatarUrl })}
        />
        <ZoneField zone={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
        <FormFoot error={error} submit={t('app.save')} isBusy={isBusy || input === undefined} />
      </fieldset>
    </form>
  );
}

/** The fields as they are typed: empty for none. */
interface Draft {
  readonly displayName: string;
  readonly handle: string;
  readonly avatarUrl: string;
  readonly timeZone: string;
}

const draftOf = ({ displayName, handle, avatarUrl, timeZone }: ProfileFragment): Draft => ({
  displayName,
  handle: handle ?? '',
  avatarUrl: avatarUrl ?? '',
  timeZone: timeZone ?? '',
});

function changesBetween(before: Draft, after: Draft): UpdateProfileInput | undefined {
  const changed = (Object.keys(after) as (keyof Draft)[]).filter(
    (name) => after[name].trim() !== before[name],
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map((name) => {
      const value = after[name].trim();
      return [name, value === '' ? null : name === 'handle' ? value.replace(/^@/, '') : value];
    }),
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ label, hint, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <label className={ui.field}>
      <span>{label}</span>
      <input
        className={ui.input}
        dir="auto"
        autoComplete="off"
        value={value}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== undefined && (
        <small id={id} className={ui.soft}>
          {hint}
        </small>
      )}
    </label>
  );
}

interface PictureFieldProps {
  readonly profile: Readonly<ProfileFragment>;
  readonly address: string;
  readonly onChange: (address: string) => void;
}

function PictureField({ profile, address, onChange }: PictureFieldProps) {
  const s = useSettingsTexts();
  const hint = useId();
  /** The address without a picture. */
  const [failed, setFailed] = useState<string>();
  // What is still being typed is not requested.
  const shows = address !== '' && address === profile.avatarUrl && failed !== address;
  return (
    <label className={ui.field}>
      <span>{s.picture}</span>
      <span className={styles.picture}>
        {shows ? (
          <img src={address} alt="" referrerPolicy="no-referrer" onError={() => setFailed(address)} />
        ) : (
          <Avatar person={profile} size={3} />
        )}
        <input
          className={ui.input}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={address}
          aria-describedby={hint}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
      <small id={hint} className={ui.soft}>
        {failed !== undefined && failed === address ? s.pictureNotLoaded : s.pictureHint}
      </small>
    </label>
  );
}

interface ZoneFieldProps {
  /** Empty: none. */
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

function ZoneField({ zone, onChange }: ZoneFieldProps) {
  const s = useSettingsTexts();
  const hint = useId();
  const here = zoneOfBrowser();
  const zones = Intl.supportedValuesOf('timeZone');
  const others = zone === '' || zone === here || zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <label className={ui.field}>
      <span>{s.zone}</span>
      <select
        className={ui.input}
        value={zone}
        aria-describedby={hint}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{s.zoneNone}</option>
        <option value={here}>{s.zoneHere(here)}</option>
        {others
          .filter((name) => name !== here)
          .map((name) => (
            <option key={name}>{name}</option>
          ))}
      </select>
      <small id={hint} className={ui.soft}>
        {s.zoneHint}
      </small>
    </label>
  );
}
