import { Menu } from '@base-ui/react/menu';
import { BookmarkMinus, Ellipsis, Link2, MessageSquareText, Pencil, Reply, Trash2 } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { TOGGLES } from '../reactions/toggles.ts';
import { SaveButton } from '../saved/SaveButton.tsx';
import { StampPicker } from '../stamps/StampPicker.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import ui from '../ui/ui.module.css';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import type { MessageActions } from './useMessageActions.ts';

export interface MessageToolbarProps {
  readonly message: Message;
  readonly actions: MessageActions;
  readonly in: 'timeline' | 'thread';
  readonly onEdit: () => void;
  /** Whether the stamps are open. */
  readonly isPicking: boolean;
  readonly onPicking: (isPicking: boolean) => void;
}

/** After a tap on an action, the toolbar would stay over the text. A button that opens something keeps the focus. */
function hideAfterTap({ nativeEvent, target, currentTarget }: MouseEvent<HTMLElement>): void {
  const isTap = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
  if (!isTap || !(target instanceof Element) || target.closest('[aria-haspopup]') !== null) return;
  const active = currentTarget.ownerDocument.activeElement;
  if (active instanceof HTMLElement) active.blur();
}

/** The actions for a message, shown over its corner while the pointer or the focus is on it. */
export default function MessageToolbar({
  message,
  actions,
  in: pane,
  onEdit,
  isPicking,
  onPicking,
}: MessageToolbarProps) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields.
    // biome-ignore lint/a11y/useKeyWithClickEvents: it follows a tap; with the keyboard the focus stays.
    <div
      role="group"
      aria-label={t('message.actions')}
      className={styles.actions}
      data-open={isPicking || isOpen || undefined}
      onClick={hideAfterTap}
    >
      {message.body !== null &&
        TOGGLES.map((toggle) => (
          <IconButton
            key={toggle.name}
            label={t(toggle.isOn(message) ? toggle.texts.remove : toggle.texts.add)}
            aria-pressed={toggle.isOn(message)}
            onClick={() => actions.toggle(toggle)}
          >
            <toggle.Icon />
          </IconButton>
        ))}
      {message.body !== null && (
        <StampPicker open={isPicking} onPick={actions.toggleStamp} onOpenChange={onPicking} />
      )}
      <SaveButton message={message} />
      <IconButton
        label={t(pane === 'timeline' ? 'message.reply' : 'message.replyHere')}
        onClick={actions.reply}
      >
        {pane === 'timeline' ? <MessageSquareText /> : <Reply />}
      </IconButton>
      <Menu.Root open={isOpen} onOpenChange={setIsOpen}>
        <Menu.Trigger render={<IconButton label={t('message.more')} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              {actions.canEdit && (
                <Menu.Item className={ui.item} onClick={onEdit}>
                  <Pencil aria-hidden="true" /> {t('message.edit')}
                </Menu.Item>
              )}
              <Menu.Item className={ui.item} onClick={actions.copyLink}>
                <Link2 aria-hidden="true" /> {t('message.copyLink')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={actions.markUnread}>
                <BookmarkMinus aria-hidden="true" /> {t('message.markUnread')}
              </Menu.Item>
              {actions.canDelete && (
                <>
                  <Menu.Separator className={ui.separator} />
                  <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setIsAsking(true)}>
                    <Trash2 aria-hidden="true" /> {t('message.delete')}
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Confirm
        title={t('message.deleteConfirm')}
        hint={t('message.deleteHint')}
        action={t('message.delete')}
        open={isAsking}
        onConfirm={actions.remove}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}
