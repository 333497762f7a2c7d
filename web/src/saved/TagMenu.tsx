import { Menu } from '@base-ui/react/menu';
import { Combine, Ellipsis, Globe, Lock, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/errors.ts';
import { DeleteTagDocument, SetVisibilityOfTaggedDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { savedPath } from '../shell/paths.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import type { Job } from './Jobs.tsx';
import { TagNameDialog } from './TagNameDialog.tsx';
import { type Tag, tagNamed } from './tagNames.ts';
import { useSavedTexts } from './texts.ts';

export interface TagMenuProps {
  readonly name: string;
  /** Whether the viewer has no tag with this name, so that nothing can be done. */
  readonly isMissing: boolean;
  /** Called when the tag has changed, or a job that changes it has begun. */
  readonly onChange: () => void;
}

type Wanted = 'rename' | 'merge' | 'public' | 'private' | 'delete';

/** What can be done with everything that has a tag. */
export function TagMenu({ name, isMissing, onChange }: TagMenuProps) {
  const texts = useSavedTexts();
  const { api } = useSession();
  const [, navigate] = useLocation();
  const attempt = useAttempt();
  const toast = useToast();
  const [open, setOpen] = useState<{ readonly wanted: Wanted; readonly tag: Tag }>();
  const close = () => setOpen(undefined);

  /** Back must not lead to the list of a tag that is gone. */
  const leaveFor = (path: string) => navigate(path, { replace: true });
  /** The tag is read first: what the user confirms is its count. */
  const ask = (wanted: Wanted) =>
    attempt(async () => {
      const tag = await tagNamed(api, name);
      if (tag === undefined) toast(texts.noTag(name));
      else setOpen({ wanted, tag });
    });
  const begun = ({ text, state }: Job) => {
    if (state === 'DONE') toast(texts.jobDone(text));
    onChange();
  };
  const show = (visibility: 'PUBLIC' | 'PRIVATE', { id, count }: Tag) =>
    attempt(async () => {
      const input = { tagId: id, visibility, expectedCount: count };
      try {
        begun((await api.mutateUncached(SetVisibilityOfTaggedDocument, { input })).setVisibilityOfTagged.job);
      } catch (error) {
        // It is asked again, with the new number.
        if (error instanceof ApiError && error.reason === 'COUNT_CHANGED')
          void ask(visibility === 'PUBLIC' ? 'public' : 'private');
        throw error;
      }
    });
  const remove = ({ id }: Tag) =>
    attempt(async () => {
      begun((await api.mutateUncached(DeleteTagDocument, { input: { tagId: id } })).deleteSavedTag.job);
      leaveFor(savedPath('all'));
    });

  const { wanted, tag } = open ?? {};
  return (
    <>
      <Menu.Root>
        <Menu.Trigger disabled={isMissing} render={<IconButton label={texts.tagMenu(name)} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              <Menu.Item className={ui.item} onClick={() => void ask('rename')}>
                <Pencil aria-hidden="true" /> {texts.rename}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void ask('merge')}>
                <Combine aria-hidden="true" /> {texts.merge}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void ask('public')}>
                <Globe aria-hidden="true" /> {texts.allPublic}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => void ask('private')}>
                <Lock aria-hidden="true" /> {texts.allPrivate}
              </Menu.Item>
              <Menu.Separator className={ui.separator} />
              <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => void ask('delete')}>
                <Trash2 aria-hidden="true" /> {texts.deleteTag}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      {tag !== undefined && (wanted === 'rename' || wanted === 'merge') && (
        <TagNameDialog
          tag={tag}
          wanted={wanted}
          onClose={close}
          onDone={(into, job) => {
            close();
            if (job === null) toast(texts.renamed(into));
            else begun(job);
            leaveFor(savedPath({ tag: into }));
            onChange();
          }}
        />
      )}
      {tag !== undefined && (wanted === 'public' || wanted === 'private') && (
        <Confirm
          title={texts.showAllOf(tag.name, wanted)}
          hint={texts.showAllHint(tag.count, wanted)}
          action={texts.showAll(tag.count, wanted)}
          kind="next"
          open
          onConfirm={() => void show(wanted === 'public' ? 'PUBLIC' : 'PRIVATE', tag)}
          onClose={close}
        />
      )}
      {tag !== undefined && wanted === 'delete' && (
        <Confirm
          title={texts.deleteTagOf(tag.name)}
          hint={texts.deleteTagHint(tag.count)}
          action={texts.deleteNow}
          open
          onConfirm={() => void remove(tag)}
          onClose={close}
        />
      )}
    </>
  );
}
