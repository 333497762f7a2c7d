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

interface Open {
  readonly wanted: Wanted;
  readonly tag: Tag;
  /** The path of the tag's list. */
  readonly path: string;
}

/** What can be done with everything that has a tag. */
export function TagMenu({ name, isMissing, onChange }: TagMenuProps) {
  const texts = useSavedTexts();
  const { api } = useSession();
  const [, navigate] = useLocation();
  const attempt = useAttempt();
  const toast = useToast();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  /** Back must not lead to the list of a tag that is gone. Viewers who have left it before stay on their page. */
  const leave = (path: string, next: string) => {
    if (location.pathname === path) navigate(next, { replace: true });
  };
  /** The tag is read first: what the user confirms is its count. */
  const ask = (wanted: Wanted) =>
    attempt(async () => {
      const path = location.pathname;
      const tag = await tagNamed(api, name);
      if (tag === undefined) toast(texts.noTag(name));
      else setOpen({ wanted, tag, path });
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
  const remove = ({ tag: { id }, path }: Open) =>
    attempt(async () => {
      begun((await api.mutateUncached(DeleteTagDocument, { input: { tagId: id } })).deleteSavedTag.job);
      leave(path, savedPath('all'));
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
      {open !== undefined && (open.wanted === 'rename' || open.wanted === 'merge') && (
        <TagNameDialog
          tag={open.tag}
          wanted={open.wanted}
          onClose={close}
          onDone={(into, job) => {
            close();
            if (job === null) toast(texts.renamed(into));
            else begun(job);
            leave(open.path, savedPath({ tag: into }));
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
      {open?.wanted === 'delete' && (
        <Confirm
          title={texts.deleteTagOf(open.tag.name)}
          hint={texts.deleteTagHint(open.tag.count)}
          action={texts.deleteNow}
          open
          onConfirm={() => void remove(open)}
          onClose={close}
        />
      )}
    </>
  );
}
