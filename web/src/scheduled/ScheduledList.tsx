import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import {
  CancelScheduledDocument,
  ChangeScheduledDocument,
  ScheduledListDocument,
  type ScheduledPartsFragment,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useTitle } from '../rooms/title.ts';
import { useSession } from '../session/session.ts';
import { FormFoot } from '../ui/FormFoot.tsx';
import { isFocusLost } from '../ui/isFocusLost.ts';
import { Modal } from '../ui/Modal.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './scheduled.module.css';
import { TimeField } from './TimeField.tsx';
import { useScheduledTexts } from './texts.ts';
import { earliest, localValue, timeOf } from './times.ts';
import { useZone } from './useZone.ts';

/** The dialog that lists the viewer's scheduled messages, with those that could not be sent. */
export default function ScheduledList({ onClose }: { readonly onClose: () => void }) {
  const texts = useScheduledTexts();
  return (
    <Modal title={texts.title} open onClose={onClose}>
      <List />
    </Modal>
  );
}

function List() {
  const { t, problem } = useI18n();
  const texts = useScheduledTexts();
  const { api, scheduledFailures } = useSession();
  const [messages, setMessages] = useState<readonly ScheduledPartsFragment[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const read = useCallback(
    async (after: string | null) => {
      try {
        const { viewer } = await api.queryUncached(ScheduledListDocument, after === null ? {} : { after });
        const { edges, pageInfo } = viewer.scheduledMessages;
        const page = edges.map(({ node }) => node);
        setMessages((before = []) => (after === null ? page : [...before, ...page]));
        setNext(pageInfo.hasNextPage ? pageInfo.endCursor : null);
      } catch (thrown) {
        setError(problem(asApiError(thrown)));
      }
    },
    [api, problem],
  );
  useEffect(() => void read(null), [read]);

  const list = useRef<HTMLUListElement>(null);
  const none = useRef<HTMLParagraphElement>(null);
  /** The place of the row that had the focus and is gone. */
  const goneAt = useRef<number>(undefined);
  // The row that is there now gets it, not one of its buttons: pressing Enter once too often must not delete it.
  // At once: a moment later, the dialog itself has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rows have changed.
  useLayoutEffect(() => {
    if (goneAt.current === undefined) return;
    const rows = list.current?.querySelectorAll('article') ?? [];
    const next = rows[Math.min(goneAt.current, rows.length - 1)] ?? none.current;
    goneAt.current = undefined;
    next?.focus();
  }, [messages]);

  const drop = (gone: string) => {
    const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(document.activeElement));
    if (at !== -1 && messages?.[at]?.id === gone) goneAt.current = at;
    setMessages((before = []) => before.filter(({ id }) => id !== gone));
    scheduledFailures.refresh();
  };
  const change = (changed: ScheduledPartsFragment) => {
    setMessages((before = []) =>
      before
        .map((one) => (one.id === changed.id ? changed : one))
        .sort((a, b) => Date.parse(a.sendAt) - Date.parse(b.sendAt)),
    );
    if (changed.failure === null) scheduledFailures.expect(changed.sendAt);
    scheduledFailures.refresh();
  };

  if (error !== undefined) return <p className={ui.error}>{error}</p>;
  if (messages === undefined) return <p className={ui.soft}>{t('app.loading')}</p>;
  if (messages.length === 0) {
    return (
      <p ref={none} tabIndex={-1} className={ui.soft}>
        {texts.none} {texts.noneHint}
      </p>
    );
  }
  return (
    <>
      <ul ref={list} className={`plain ${styles.list}`}>
        {messages.map((one) => (
          <li key={one.id}>
            <Row one={one} onChanged={change} onGone={() => drop(one.id)} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" className={ui.quiet} onClick={() => void read(next)}>
          {texts.more}
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly one: ScheduledPartsFragment;
  readonly onChanged: (changed: ScheduledPartsFragment) => void;
  readonly onGone: () => void;
}

function Row({ one, onChanged, onGone }: RowProps) {
  const { dateTimeIn, problem } = useI18n();
  const texts = useScheduledTexts();
  const titleOf = useTitle();
  const { api, outbox, viewer } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [isEditing, setIsEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // At once: a moment later, the dialog itself has the focus. The viewer may be writing in another row by now.
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing && isFocusLost()) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { id, room, body, sendAt, failure, failureReason, replyTo } = one;
  const excerpt = body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body;

  /** What is removed is not sent any more, so sending it then cannot send it twice. */
  const remove = (thenSend: boolean) =>
    attempt(async () => {
      const { cancelScheduledMessage } = await api.mutateUncached(CancelScheduledDocument, {
        input: { scheduledMessageId: id },
      });
      if (cancelScheduledMessage.cancelled === null) toast(texts.sentAlready);
      else if (thenSend && room !== null) {
        outbox.send({ roomId: room.id, replyTo: replyTo?.id ?? null, answered: null, body });
      }
      onGone();
    });

  if (isEditing) {
    return (
      <Edit
        one={one}
        onDone={(changed) => {
          if (changed !== undefined) onChanged(changed);
          setIsEditing(false);
        }}
      />
    );
  }
  return (
    <article tabIndex={-1} className={styles.row}>
      <p>
        <strong dir="auto">{room === null ? texts.gone : titleOf(room)}</strong>
        {replyTo !== null && <span className={ui.soft}> {texts.reply}</span>}
        <time className={ui.soft} dateTime={sendAt}>
          {' '}
          {dateTimeIn(viewer.timeZone, sendAt)}
        </time>
      </p>
      <p dir="auto" className={styles.body}>
        {body}
      </p>
      {failure !== null && (
        <p className={ui.error}>
          {texts.notSent(
            problem({ code: failure, ...(failureReason === null ? {} : { reason: failureReason }) }),
          )}
        </p>
      )}
      <div className={ui.dialogFoot}>
        <button
          type="button"
          className={ui.quiet}
          aria-label={texts.cancelOf(excerpt)}
          onClick={() => void remove(false)}
        >
          {texts.cancel}
        </button>
        <button
          type="button"
          ref={edit}
          className={ui.quiet}
          aria-label={texts.editOf(excerpt)}
          onClick={() => setIsEditing(true)}
        >
          {texts.edit}
        </button>
        {room !== null && failure === null && (
          <button
            type="button"
            className={ui.quiet}
            aria-label={texts.nowOf(excerpt)}
            onClick={() => void remove(true)}
          >
            {texts.now}
          </button>
        )}
      </div>
    </article>
  );
}

const EXCERPT = 40;

interface EditProps {
  readonly one: ScheduledPartsFragment;
  /** `changed`: undefined if nothing was changed. */
  readonly onDone: (changed?: ScheduledPartsFragment) => void;
}

function Edit({ one, onDone }: EditProps) {
  const { t, problem } = useI18n();
  const texts = useScheduledTexts();
  const { api } = useSession();
  const { zone, zoneHint } = useZone();
  const stored = localValue(new Date(one.sendAt), zone);
  const [body, setBody] = useState(one.body);
  // One that could not be sent is tried again only with another time, and its own is in the past.
  const [at, setAt] = useState(one.failure === null ? stored : '');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    const input = {
      scheduledMessageId: one.id,
      body,
      version: one.version,
      ...(at === stored ? {} : { sendAt: timeOf(at, zone).toISOString() }),
    };
    try {
      const { updateScheduledMessage } = await api.mutateUncached(ChangeScheduledDocument, { input });
      onDone(updateScheduledMessage.scheduledMessage);
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  return (
    <form className={ui.form} onSubmit={(event) => void submit(event)}>
      <label className={ui.field}>
        <span>{texts.text}</span>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the viewer has just opened it to write here.
          autoFocus
          className={ui.input}
          rows={3}
          dir="auto"
          required
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      </label>
      <TimeField
        label={texts.at}
        value={at}
        min={localValue(earliest(), zone)}
        zoneHint={zoneHint}
        onChange={setAt}
      />
      <FormFoot error={error} isBusy={isBusy} submit={t('app.save')} onCancel={() => onDone()} />
    </form>
  );
}
