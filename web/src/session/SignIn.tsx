import { ArrowRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import type { SignInError } from '../provider/provider.ts';
import { useProviderTexts } from '../provider/texts.ts';
import { LanguageChoice } from '../shell/LanguageChoice.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import type { PageConfig } from './pageConfig.ts';
import styles from './SignIn.module.css';

/** With the library that speaks to the provider. */
const ProviderButton = lazyWithRetry(() => import('../provider/ProviderButton.tsx'));

export interface SignInProps {
  readonly config: PageConfig;
  readonly problem: ApiError | undefined;
  /** The problem came up while the viewer was signing in. */
  readonly isNew: boolean;
  /** The address asked for a demo user with this handle, and there is none. */
  readonly unknown: string | undefined;
  /** Why a sign-in at the provider did not succeed. */
  readonly error: SignInError | undefined;
  readonly onSignIn: (token: string) => void;
}

/**
 * Sends users to the identity provider, if there is one. Otherwise it has a field for a token, which the operator's own
 * page issues. In development it first offers the demo users of the page's language, and the token is one that
 * `npm run token` prints.
 */
export default function SignIn({ config, problem, isNew, unknown, error, onSignIn }: SignInProps) {
  const { people, graphiql, signIn: provider } = config;
  const { t } = useI18n();
  const failure = useReason(config, problem, isNew);
  const reason = failure ?? (unknown === undefined ? undefined : t('signIn.unknown', { handle: unknown }));
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <header className={styles.head}>
          <Mark />
          <div>
            <h1>
              {t('app.name')} <span lang="ja">集い</span>
            </h1>
            <p>{t('app.tagline')}</p>
          </div>
        </header>
        {reason !== undefined && provider === undefined && (
          <p className={ui.error} role="alert">
            {reason}
          </p>
        )}
        {provider !== undefined ? (
          <ProviderButton config={provider} error={error} reason={reason} />
        ) : people.length > 0 ? (
          <>
            <People people={people} onSignIn={onSignIn} />
            <details className={styles.other}>
              <summary>{t('signIn.useToken')}</summary>
              <Token hint={t('signIn.tokenHintDev')} onSignIn={onSignIn} />
            </details>
          </>
        ) : (
          <Token hint={t('signIn.tokenHint')} onSignIn={onSignIn} />
        )}
        <footer className={styles.foot}>
          {graphiql ? <a href="/graphql">{t('signIn.graphiql')}</a> : <span />}
          <LanguageChoice />
        </footer>
      </div>
    </main>
  );
}

/** Why the viewer has to sign in, if it is not for the first time. */
function useReason(
  { signIn }: PageConfig,
  problem: ApiError | undefined,
  isNew: boolean,
): string | undefined {
  const { t, problem: textOf } = useI18n();
  const texts = useProviderTexts();
  if (problem === undefined) return undefined;
  if (signIn !== undefined && problem.code === 'OFFLINE') return texts.failure('unreachable', undefined);
  if (problem.code !== 'UNAUTHENTICATED') return textOf(problem);
  if (signIn === undefined) return t('signIn.refused');
  return isNew ? texts.refused : texts.ended;
}

function People({ people, onSignIn }: Pick<PageConfig, 'people'> & Pick<SignInProps, 'onSignIn'>) {
  const { t, language } = useI18n();
  const ofLanguage = people.filter((person) => person.language === language);
  return (
    <>
      <h2>{t('signIn.title')}</h2>
      <ul className={styles.people}>
        {ofLanguage.map(({ id, handle, name, token }) => (
          <li key={handle}>
            <button type="button" onClick={() => onSignIn(token)}>
              <Avatar person={{ id, displayName: name }} size={2.5} />
              <span className={styles.person}>
                <strong>{name}</strong>
                <span>@{handle}</span>
              </span>
              <ArrowRight aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <p className={ui.soft}>{t('signIn.hint')}</p>
    </>
  );
}

function Token({ hint, onSignIn }: { readonly hint: string } & Pick<SignInProps, 'onSignIn'>) {
  const { t } = useI18n();
  const [token, setToken] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') onSignIn(token.trim());
  };
  return (
    <form className={styles.token} onSubmit={submit}>
      <label className={ui.field}>
        <span>{t('signIn.token')}</span>
        <input
          className={ui.input}
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      <p className={ui.soft}>{hint}</p>
      <button className={ui.button} type="submit">
        {t('signIn.submit')}
      </button>
    </form>
  );
}
