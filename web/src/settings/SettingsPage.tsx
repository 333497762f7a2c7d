import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { AlertSwitches } from '../alerts/AlertSwitches.tsx';
import { type ApiError, asApiError } from '../api/errors.ts';
import { OwnProfileDocument, type ProfileFragment, SignOutEverywhereDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { type Language, languages } from '../i18n/texts.ts';
import { canKeep } from '../offline/kept.ts';
import { deleteRooms } from '../offline/keptRooms.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { deliverySettingsPath } from '../shell/paths.ts';
import { useSingleKeys } from '../shell/singleKeys.ts';
import { Confirm } from '../ui/Confirm.tsx';
import pane from '../ui/pane.module.css';
import { Switch } from '../ui/Switch.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { Choice } from './Choice.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { CLOCKS, DENSITIES, THEMES, usePreferences } from './preferences.ts';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

export interface SettingsPageProps {
  /** Users sign in at an identity provider. */
  readonly hasProvider: boolean;
  readonly onKeys: () => void;
  readonly onSignOut: (why?: ApiError) => void;
}

/** The viewer's profile, and how the page looks and behaves. */
export default function SettingsPage({ hasProvider, onKeys, onSignOut }: SettingsPageProps) {
  const { t } = useI18n();
  const s = useSettingsTexts();
  return (
    <main id="main" className={pane.pane}>
      <header className={pane.head}>
        <BackLink />
        <h1 className={styles.title}>{t('app.settings')}</h1>
      </header>
      <div className={styles.page}>
        <Profile />
        <Appearance />
        <section className={styles.section} aria-labelledby="settings-notifications">
          <h2 id="settings-notifications">{s.notifications}</h2>
          <AlertSwitches />
          <p className={ui.soft}>{s.notificationsHint}</p>
          <div>
            <Link href={deliverySettingsPath} className={ui.quiet}>
              {s.notificationsOpen}
            </Link>
          </div>
        </section>
        <Keyboard onKeys={onKeys} />
        {canKeep() && <KeptHere />}
        <SignOutEverywhere hasProvider={hasProvider} onSignOut={onSignOut} />
      </div>
    </main>
  );
}

function Profile() {
  const { t, problem } = useI18n();
  const s = useSettingsTexts();
  const { api, viewer, changeViewer } = useSession();
  const [profile, setProfile] = useState<ProfileFragment>();
  const [error, setError] = useState<string>();
  const read = useCallback(async () => {
    setError(undefined);
    try {
      setProfile((await api.queryUncached(OwnProfileDocument, {})).viewer.user);
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
    }
  }, [api, problem]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the language changes.
  useEffect(() => void read(), [api]);
  return (
    <section className={styles.section} aria-labelledby="settings-profile">
      <h2 id="settings-profile">{s.profile}</h2>
      <p className={ui.soft}>{s.profileHint}</p>
      {error !== undefined && (
        <div role="alert">
          <p className={ui.error}>{error}</p>
          <button type="button" className={ui.quiet} onClick={() => void read()}>
            {t('app.retry')}
          </button>
        </div>
      )}
      {error === undefined && (
        <ProfileForm
          // A form that is loading has its place on the page, so nothing below it moves.
          key={profile === undefined ? 'loading' : 'loaded'}
          isLoading={profile === undefined}
          profile={profile ?? viewer}
          onSaved={(saved) => {
            setProfile(saved);
            changeViewer(saved);
          }}
        />
      )}
    </section>
  );
}

function Appearance() {
  const { language, setLanguage } = useI18n();
  const s = useSettingsTexts();
  const [preferences, store] = usePreferences();
  const { theme, density, clock } = preferences;
  return (
    <section className={styles.section} aria-labelledby="settings-look">
      <h2 id="settings-look">{s.look}</h2>
      <p className={ui.soft}>{s.lookHint}</p>
      <Choice
        label={s.theme}
        choices={THEMES}
        names={s.themes}
        chosen={theme}
        onChoose={(choice) => store.set({ ...preferences, theme: choice })}
      />
      <Choice
        label={s.density}
        choices={DENSITIES}
        names={s.densities}
        chosen={density}
        onChoose={(choice) => store.set({ ...preferences, density: choice })}
      />
      <Choice
        label={s.clock}
        choices={CLOCKS}
        names={s.clocks}
        chosen={clock}
        onChoose={(choice) => store.set({ ...preferences, clock: choice })}
      />
      <Choice
        label={s.language}
        hint={s.languageHint}
        names={languages}
        chosen={language}
        choices={Object.keys(languages) as Language[]}
        onChoose={setLanguage}
      />
    </section>
  );
}

function Keyboard({ onKeys }: Pick<SettingsPageProps, 'onKeys'>) {
  const { t } = useI18n();
  const s = useSettingsTexts();
  const { areOn, turn } = useSingleKeys();
  return (
    <section className={styles.section} aria-labelledby="settings-keys">
      <h2 id="settings-keys">{s.keys}</h2>
      <Switch label={t('keys.single')} hint={t('keys.singleHint')} isOn={areOn} onChange={turn} />
      <div>
        <button type="button" className={ui.quiet} onClick={onKeys}>
          {s.keysOpen}
        </button>
      </div>
    </section>
  );
}

/** What this browser keeps for the time without the server. */
function KeptHere() {
  const s = useSettingsTexts();
  const toast = useToast();
  const attempt = useAttempt();
  const { viewer } = useSession();
  const forget = async () => {
    if (await attempt(() => deleteRooms(viewer.id))) toast(s.keptForgotten);
  };
  return (
    <section className={styles.section} aria-labelledby="settings-kept">
      <h2 id="settings-kept">{s.kept}</h2>
      <p className={ui.soft}>{s.keptHint}</p>
      <div>
        <button type="button" className={ui.quiet} onClick={() => void forget()}>
          {s.keptForget}
        </button>
      </div>
    </section>
  );
}

function SignOutEverywhere({ hasProvider, onSignOut }: Omit<SettingsPageProps, 'onKeys'>) {
  const s = useSettingsTexts();
  const hint = hasProvider ? `${s.signOutHint} ${s.signOutProvider}` : s.signOutHint;
  const { api } = useSession();
  const attempt = useAttempt();
  const [isAsking, setIsAsking] = useState(false);
  const signOut = async () => {
    await api.mutateUncached(SignOutEverywhereDocument, {});
    onSignOut();
  };
  return (
    <section className={styles.section} aria-labelledby="settings-account">
      <h2 id="settings-account">{s.account}</h2>
      <p className={ui.soft}>{hint}</p>
      <div>
        <button type="button" className={ui.quiet} onClick={() => setIsAsking(true)}>
          {s.signOutEverywhere}
        </button>
      </div>
      <Confirm
        title={s.signOutConfirm}
        hint={hint}
        action={s.signOutEverywhere}
        open={isAsking}
        onConfirm={() => void attempt(signOut, { FORBIDDEN: s.signOutForbidden })}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}
