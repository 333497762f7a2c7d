import { useEffect, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import { localDay } from '../dates/days.ts';
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import { FILE_FORMATS, type FileFormat, writeFile } from './file.ts';
import styles from './Jobs.module.css';
import { useSavedTexts } from './texts.ts';

const en = {
  title: 'Download saved messages',
  hint: 'One file with every message you saved, including notes, tags and reminders.',
  formats: {
    jsonl: 'As data (JSON lines)',
    html: 'As bookmarks (HTML, for browsers)',
  } satisfies Record<FileFormat, string>,
  withheld: 'Message unavailable',
  ready: (count: number, shown: string) =>
    count === 1 ? '1 message is in the file.' : `${shown} messages are in the file.`,
};

const ja: typeof en = {
  title: '保存したメッセージをダウンロード',
  hint: '保存したすべてのメッセージを、メモ・タグ・リマインダーも含めて 1 つのファイルにまとめます。',
  formats: { jsonl: 'データ（JSON Lines）', html: 'ブックマーク（HTML、ブラウザー用）' },
  withheld: '表示できないメッセージ',
  ready: (_count, shown) => `${shown} 件をファイルに書き出しました。`,
};

const TEXTS: Readonly<Record<Language, typeof en>> = { en, ja };

export interface ExportDialogProps {
  /** How many messages the viewer has saved, if that is known. */
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** Makes a file of what the viewer has saved. Closing the dialog ends it. */
export default function ExportDialog({ total, onClose }: ExportDialogProps) {
  const { t, problem, language } = useI18n();
  const { api } = useSession();
  const saved = useSavedTexts();
  const texts = TEXTS[language];
  const [done, setDone] = useState<number>();
  const [isReady, setIsReady] = useState(false);
  const [error, setError] = useState<string>();
  const writing = useRef<AbortController>(undefined);
  useEffect(() => () => writing.current?.abort(), []);

  async function write(format: FileFormat) {
    const controller = new AbortController();
    writing.current = controller;
    const { signal } = controller;
    setDone(0);
    setIsReady(false);
    setError(undefined);
    const options = { format, origin: location.origin, withheld: texts.withheld };
    const onProgress = (soFar: number) => {
      setDone(soFar);
      setError(undefined);
    };
    const onFailure = (failure: ApiError) => setError(problem(failure));
    try {
      const file = await writeFile(api, { ...options, signal, onProgress, onFailure });
      if (file === undefined) return;
      download(file, `saved-${localDay(new Date())}.${format}`);
      setIsReady(true);
    } catch (thrown) {
      setDone(undefined);
      setError(problem(asApiError(thrown)));
    }
  }

  const isBusy = done !== undefined && !isReady;
  const shown = (count: number) => count.toLocaleString(language);
  return (
    <Modal title={texts.title} open onClose={onClose}>
      <div className={ui.form}>
        <p className={ui.soft}>{texts.hint}</p>
        {FILE_FORMATS.map((format) => (
          <BusyButton key={format} className={ui.quiet} isBusy={isBusy} onClick={() => void write(format)}>
            {texts.formats[format]}
          </BusyButton>
        ))}
        {isBusy && (
          <div className={ui.form}>
            <progress
              className={styles.bar}
              aria-label={texts.title}
              {...(total === undefined || total === 0 ? {} : { value: Math.min(done, total), max: total })}
            />
            <span className={styles.number}>
              {saved.progress(shown(done), total === undefined ? undefined : shown(total))}
            </span>
            <button type="button" className={ui.quiet} onClick={onClose}>
              {t('app.cancel')}
            </button>
          </div>
        )}
        <p role="status" className={ui.soft}>
          {isReady && done !== undefined ? texts.ready(done, shown(done)) : ''}
        </p>
        {error !== undefined && (
          <p className={ui.error} role="alert">
            {error}
          </p>
        )}
      </div>
    </Modal>
  );
}

/** How long the browser may take to begin to read a file. */
const KEPT_MS = 60_000;

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
