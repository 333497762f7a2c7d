import { Menu } from '@base-ui/react/menu';
import {
  BookmarkMinus,
  Copy,
  Ellipsis,
  Link2,
  MessageSquareText,
  Pencil,
  Quote,
  Reply,
  Trash2,
} from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { TOGGLES } from '../reactions/toggles.ts';
import { SaveButton } from '../saved/SaveButton.tsx';
import { StampPicker } from '../stamps/StampPicker.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import ui from '../ui/ui.module.css';
import { useActionTexts } from './actionTexts.ts';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import type { MessageActions } from './useMessageActions.ts';
import { useQuoting } from './useQuoting.ts';

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
  const { t, dateTime } = useI18n();
  const texts = useActionTexts();
  const quoting = useQuoting(message, pane);
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields.
    // biome-ignore lint/a11y/useKeyWithClickEvents: it follows a tap; with the keyboard the focus stays.
    <div
      role="group"
      aria-label={texts.actions}
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
      <IconButton label={pane === 'timeline' ? texts.reply : texts.replyHere} onClick={actions.reply}>
        {pane === 'timeline' ? <MessageSquareText /> : <Reply />}
      </IconButton>
      <Menu.Root open={isOpen} onOpenChange={setIsOpen}>
        <Menu.Trigger render={<IconButton label={texts.more} />}>
          <Ellipsis />
        </Menu.Trigger>
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup
              className={ui.popup}
              // A function takes the focus even out of the dialog that the menu has opened.
              finalFocus={() => !isAsking && quoting.focusAfter()}
            >
              {message.editedAt !== null && message.body !== null && (
                <p className={styles.editedBy}>
                  {texts.edited(nameOf(t, message.author), dateTime(message.editedAt))}
                </p>
              )}
              {actions.canEdit && (
                <Menu.Item className={ui.item} onClick={onEdit}>
                  <Pencil aria-hidden="true" /> {texts.edit}
                </Menu.Item>
              )}
              {message.body !== null && (
                <>
                  <Menu.Item className={ui.item} onClick={quoting.quote}>
                    <Quote aria-hidden="true" /> {texts.quote}
                  </Menu.Item>
                  <Menu.Item className={ui.item} onClick={quoting.copy}>
                    <Copy aria-hidden="true" /> {texts.copyText}
                  </Menu.Item>
                </>
              )}
              <Menu.Item className={ui.item} onClick={actions.copyLink}>
                <Link2 aria-hidden="true" /> {texts.copyLink}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={actions.markUnread}>
                <BookmarkMinus aria-hidden="true" /> {texts.markUnread}
              </Menu.Item>
              {actions.canDelete && (
                <>
                  <Menu.Separator className={ui.separator} />
                  <Menu.Item className={`${ui.item} ${ui.itemDanger}`} onClick={() => setIsAsking(true)}>
                    <Trash2 aria-hidden="true" /> {texts.remove}
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      <Confirm
        title={texts.removeTitle}
        hint={texts.removeHint}
        action={texts.remove}
        open={isAsking}
        onConfirm={actions.remove}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}
