import { Component, type ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import pane from './pane.module.css';
import ui from './ui.module.css';

interface BrokenProps {
  readonly children: ReactNode;
}

/** Says so where a fault of the page's own took everything away, rather than to leave it blank. */
export class Broken extends Component<BrokenProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <Excuse /> : this.props.children;
  }
}

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
