import { useI18n } from '../i18n/i18n.ts';
import { type Language, languages } from '../i18n/texts.ts';
import styles from './LanguageChoice.module.css';

export function LanguageChoice() {
  const { t, language, setLanguage } = useI18n();
  return (
    <label className={styles.choice}>
      <span className="visually-hidden">{t('app.language')}</span>
      <select value={language} onChange={(event) => void setLanguage(event.target.value as Language)}>
        {Object.entries(languages).map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
