import type { Language } from '../../i18n/language.ts';
import { createWording, type Messages } from '../../i18n/wording.ts';
import type { Job } from '../../jobs/job.ts';
import { type AboutMerge, type AboutPublish, DELETE, MERGE } from './tagJobs.ts';

type Name = 'merge' | 'delete' | 'publish' | 'hide';

const en: Messages<Name> = {
  merge: 'Merge “{name}” into “{into}”',
  delete: 'Delete the tag “{name}”',
  publish: 'Make everything with the tag “{name}” public',
  hide: 'Make everything with the tag “{name}” private',
};

const ja: Messages<Name> = {
  merge: 'タグ「{name}」を「{into}」に統合',
  delete: 'タグ「{name}」を削除',
  publish: 'タグ「{name}」が付いたものをすべて公開',
  hide: 'タグ「{name}」が付いたものをすべて非公開',
};

const wording = createWording({ en, ja });

/** What a job does, with the names that the tags had when it was asked for. */
export function textOfJob({ kind, about }: Job, language: Language): string {
  const { name, intoName = '', visibility } = about as AboutMerge & Partial<AboutPublish>;
  if (kind === MERGE) return wording(language, 'merge', { name, into: intoName });
  if (kind === DELETE) return wording(language, 'delete', { name });
  return wording(language, visibility === 'PUBLIC' ? 'publish' : 'hide', { name });
}
