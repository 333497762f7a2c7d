import { useCallback, useEffect, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import {
  BansDocument,
  type BansQuery,
  type RoomPartsFragment,
  UnbanMemberDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { PersonButton } from '../people/PersonButton.tsx';
import { useSession } from '../session/session.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Modal } from '../ui/Modal.tsx';
import pane from '../ui/pane.module.css';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { nameOf } from './name.ts';

type Ban = NonNullable<BansQuery['room']>['bans']['edges'][number]['node'];

export interface BansProps {
  readonly room: Pick<RoomPartsFragment, 'id' | 'name'>;
  readonly onClose: () => void;
}

/** The dialog that lists a room's bans and lifts them. */
export default function Bans({ room, onClose }: BansProps) {
  const { t } = useI18n();
  return (
    <Modal title={t('bans.title', { name: room.name })} open onClose={onClose}>
      <List roomId={room.id} />
    </Modal>
  );
}

function List({ roomId }: { readonly roomId: string }) {
  const { t, problem } = useI18n();
  const { api } = useSession();
  const attempt = useAttempt();
  const [bans, setBans] = useState<readonly Ban[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const read = useCallback(
    async (after: string | null) => {
      try {
        const { room } = await api.queryUncached(BansDocument, {
          room: roomId,
          ...(after === null ? {} : { after }),
        });
        const page = room?.bans;
        setBans((before = []) => [...before, ...(page?.edges ?? []).map(({ node }) => node)]);
        setNext(page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null);
      } catch (thrown) {
        setError(problem(asApiError(thrown)));
      }
    },
    [api, roomId, problem],
  );
  useEffect(() => {
    setBans(undefined);
    void read(null);
  }, [read]);

  const lift = async (userId: string) => {
    const ok = await attempt(() => api.mutate(UnbanMemberDocument, { input: { roomId, userId } }));
    if (ok) setBans((before = []) => before.filter(({ user }) => user.id !== userId));
  };

  if (error !== undefined) return <p className={ui.error}>{error}</p>;
  if (bans === undefined) return <p className={ui.soft}>{t('app.loading')}</p>;
  if (bans.length === 0) return <p className={ui.soft}>{t('bans.none')}</p>;
  return (
    <>
      <ul className="plain">
        {bans.map(({ user, bannedBy }) => (
          <li key={user.id} className={pane.person}>
            <Avatar person={user} />
            <span>
              <PersonButton userId={user.id} name={nameOf(t, user)} />
              <small>{t('bans.by', { name: nameOf(t, bannedBy) })}</small>
            </span>
            <button
              type="button"
              className={ui.quiet}
              aria-label={t('bans.liftNamed', { name: nameOf(t, user) })}
              onClick={() => void lift(user.id)}
            >
              {t('bans.lift')}
            </button>
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" className={ui.quiet} onClick={() => void read(next)}>
          {t('bans.more')}
        </button>
      )}
    </>
  );
}
