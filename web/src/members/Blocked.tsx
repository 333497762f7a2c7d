import { useCallback, useEffect, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { BlockedUsersDocument, UnblockUserDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { PersonButton } from '../people/PersonButton.tsx';
import { useSession } from '../session/session.ts';
import type { Person } from '../timeline/message.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Modal } from '../ui/Modal.tsx';
import pane from '../ui/pane.module.css';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { nameOf } from './name.ts';

/** The dialog that lists the people that the viewer has blocked, and unblocks them. */
export default function Blocked({ onClose }: { readonly onClose: () => void }) {
  const { t } = useI18n();
  return (
    <Modal title={t('blocked.title')} open onClose={onClose}>
      <List />
    </Modal>
  );
}

function List() {
  const { t, problem } = useI18n();
  const { api } = useSession();
  const attempt = useAttempt();
  const [people, setPeople] = useState<readonly Person[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const read = useCallback(
    async (after: string | null) => {
      try {
        const { viewer } = await api.queryUncached(BlockedUsersDocument, after === null ? {} : { after });
        const { edges, pageInfo } = viewer.blockedUsers;
        setPeople((before = []) => [...before, ...edges.map(({ node }) => node)]);
        setNext(pageInfo.hasNextPage ? pageInfo.endCursor : null);
      } catch (thrown) {
        setError(problem(asApiError(thrown)));
      }
    },
    [api, problem],
  );
  useEffect(() => {
    setPeople(undefined);
    void read(null);
  }, [read]);

  const unblock = async (userId: string) => {
    const ok = await attempt(() => api.mutate(UnblockUserDocument, { input: { userId } }));
    if (ok) setPeople((before = []) => before.filter(({ id }) => id !== userId));
  };

  if (error !== undefined) return <p className={ui.error}>{error}</p>;
  if (people === undefined) return <p className={ui.soft}>{t('app.loading')}</p>;
  if (people.length === 0) return <p className={ui.soft}>{t('blocked.none')}</p>;
  return (
    <>
      <ul className="plain">
        {people.map((person) => (
          <li key={person.id} className={pane.person}>
            <Avatar person={person} />
            <span>
              <PersonButton userId={person.id} name={nameOf(t, person)} />
              {person.handle !== null && <small>@{person.handle}</small>}
            </span>
            <button
              type="button"
              className={ui.quiet}
              aria-label={t('blocked.unblockNamed', { name: nameOf(t, person) })}
              onClick={() => void unblock(person.id)}
            >
              {t('blocked.unblock')}
            </button>
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" className={ui.quiet} onClick={() => void read(next)}>
          {t('blocked.more')}
        </button>
      )}
    </>
  );
}
