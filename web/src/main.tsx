import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { App } from './App.tsx';
import { languageAtStart } from './i18n/i18n.ts';
import { loadTexts } from './i18n/texts.ts';
import { readPageConfig } from './session/pageConfig.ts';
import { createPreferences } from './settings/preferences.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
const page = root;

async function start(): Promise<void> {
  const preferences = createPreferences();
  const language = languageAtStart();
  const texts = await loadTexts(language);
  createRoot(page).render(
    <StrictMode>
      <App config={readPageConfig()} preferences={preferences} spoken={{ language, texts }} />
    </StrictMode>,
  );
}

start().catch(() => {
  // There are no texts to choose from.
  page.textContent =
    'Tsudoi could not be loaded. Reload the page. / 読み込めませんでした。再読み込みしてください。';
});
