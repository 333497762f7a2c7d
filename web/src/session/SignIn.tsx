import { ArrowRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { LanguageChoice } from '../shell/LanguageChoice.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import type { PageConfig } from './pageConfig.ts';
import styles from './SignIn.module.css';

export interface SignInProps {
  readonly config: PageConfig;
  readonly problem: ApiError | undefined;
  readonly onSignIn: (token: string) => void;
}

/** Offers the demo users of the page's language in development. Otherwise it has a field for a token, which the operator's own page issues. */
export default function SignIn({ config: { people, graphiql }, problem, onSignIn }: SignInProps) {
  const { t, problem: textOf } = useI18n();
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
        {problem !== undefined && (
          <p className={ui.error} role="alert">
            {problem.code === 'UNAUTHENTICATED' ? t('signIn.refused') : textOf(problem)}
          </p>
        )}
        {people.length > 0 ? <People people={people} onSignIn={onSignIn} /> : <Token onSignIn={onSignIn} />}
        <footer className={styles.foot}>
          {graphiql ? <a href="/graphql">{t('signIn.graphiql')}</a> : <span />}
          <LanguageChoice />
        </footer>
      </div>
    </main>
  );
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

function Token({ onSignIn }: Pick<SignInProps, 'onSignIn'>) {
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
      <p className={ui.soft}>{t('signIn.tokenHint')}</p>
      <button className={ui.button} type="submit">
        {t('signIn.submit')}
      </button>
    </form>
  );
}
