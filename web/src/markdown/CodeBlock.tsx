import { Copy } from 'lucide-react';
import { Suspense } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useCopy } from '../ui/useCopy.ts';
import styles from './Body.module.css';

const Highlighted = lazyWithRetry(
  () => import('./Highlighted.tsx'),
  ({ text }) => text,
);

export interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
}

/** Code with every space as it was written. If its language is named, it is colored once the script for it is there. */
export function CodeBlock({ text, language }: CodeBlockProps) {
  const { t } = useI18n();
  const copy = useCopy();
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long lines. */}
      <pre dir="ltr" tabIndex={0}>
        <code>
          {language === '' ? (
            text
          ) : (
            <ErrorBoundary fallback={text}>
              <Suspense fallback={text}>
                <Highlighted text={text} language={language} />
              </Suspense>
            </ErrorBoundary>
          )}
        </code>
      </pre>
      <IconButton
        className={styles.copy}
        label={t('message.copyCode')}
        onClick={() => void copy(text, t('message.codeCopied'))}
      >
        <Copy />
      </IconButton>
    </div>
  );
}
