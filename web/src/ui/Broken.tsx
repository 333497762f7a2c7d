import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { Boundary } from './Boundary.tsx';
import pane from './pane.module.css';
import ui from './ui.module.css';

/** Shows a message instead of a blank page if a rendering error reached the top. */
export const Broken = ({ children }: { readonly children: ReactNode }) => (
  <Boundary instead={<Excuse />}>{children}</Boundary>
);

function Excuse() {
  const { t } = useI18n();
  return (
    <main className={pane.note} role="alert">
      <p>{t('app.broken')}</p>
      <button type="button" className={ui.button} onClick={() => location.reload()}>
        {t('app.reload')}
      </button>
    </main>
  );
}
