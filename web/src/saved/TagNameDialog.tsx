import { type FormEvent, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { MergeTagsDocument, RenameTagDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import type { Job } from './Jobs.tsx';
import { CompletedField } from './TagsField.tsx';
import { cleanTag, type Tag, tagNamed } from './tagNames.ts';
import { tagNameProblem } from './tagProblem.ts';
import { useSavedTexts } from './texts.ts';

export interface TagNameDialogProps {
  readonly tag: Tag;
  readonly wanted: 'rename' | 'merge';
  readonly onClose: () => void;
  /** `name`: of the tag that the messages have now. Null: it was renamed. */
  readonly onDone: (name: string, job: Job | null) => void;
}

/** Asks for the new name of a tag, or for the one that it is merged into. */
export function TagNameDialog({ tag, wanted, onClose, onDone }: TagNameDialogProps) {
  const texts = useSavedTexts();
  const { problem } = useI18n();
  const { api } = useSession();
  const [name, setName] = useState(wanted === 'rename' ? tag.name : '');
  /** The tag that has the new name, which the user has seen. */
  const [other, setOther] = useState<Tag>();
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function run(): Promise<void> {
    const found = await tagNamed(api, name);
    const into = found?.id === tag.id ? undefined : found;
    if (wanted === 'merge' || (into !== undefined && into.id === other?.id)) {
      if (into === undefined)
        return setError(found === undefined ? texts.noTag(cleanTag(name).trim()) : texts.sameTag);
      const input = { fromTagId: tag.id, intoTagId: into.id };
      return onDone(into.name, (await api.mutateUncached(MergeTagsDocument, { input })).mergeSavedTags.job);
    }
    if (into !== undefined) return setOther(into);
    const input = { tagId: tag.id, name: cleanTag(name) };
    const { renameSavedTag } = await api.mutateUncached(RenameTagDocument, { input });
    onDone(renameSavedTag.tag.name, renameSavedTag.job);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    await run().catch((thrown: unknown) => {
      const failure = asApiError(thrown);
      setError(tagNameProblem(texts, cleanTag(name), failure) ?? problem(failure));
    });
    setIsBusy(false);
  }

  const isMerge = wanted === 'merge' || other !== undefined;
  return (
    <Modal
      title={wanted === 'rename' ? texts.renameOf(tag.name) : texts.mergeOf(tag.name)}
      open
      onClose={onClose}
    >
      <form className={ui.form} onSubmit={(event) => void submit(event)}>
        <CompletedField
          label={wanted === 'rename' ? texts.newName : texts.mergeInto}
          hint={wanted === 'merge' ? texts.mergeHint(tag.count) : undefined}
          value={name}
          onChange={(next) => {
            setName(next);
            setOther(undefined);
          }}
          prefix={wanted === 'merge' ? cleanTag(name).trim() : ''}
        />
        {other !== undefined && (
          <p className={ui.soft} role="status">
            {texts.inUse(other.name, other.count)}
          </p>
        )}
        <FormFoot
          error={error}
          isBusy={isBusy}
          submit={isMerge ? texts.mergeNow : texts.renameNow}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
