import { useI18n } from '../i18n/i18n.ts';
import EditForm from '../timeline/EditForm.tsx';
import type { Message } from '../timeline/message.ts';
import { useMessageActions } from '../timeline/useMessageActions.ts';
import { Modal } from '../ui/Modal.tsx';

export interface EditLastProps {
  readonly message: Message;
  readonly onDone: () => void;
}

/** Edits the viewer's last message in a dialog, because the message may be outside the loaded window. */
export default function EditLast({ message, onDone }: EditLastProps) {
  const { t } = useI18n();
  const { edit } = useMessageActions(message);
  return (
    <Modal title={t('message.editLabel')} open onClose={onDone}>
      <EditForm messageId={message.id} body={message.body ?? ''} onSave={edit} onDone={onDone} />
    </Modal>
  );
}
