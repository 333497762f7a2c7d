import { useCallback, useEffect, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import {
  type InvitePartsFragment,
  InvitesDocument,
  RevokeInviteDocument,
  type RoomPartsFragment,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { useSession } from '../session/session.ts';
import { Modal } from '../ui/Modal.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './invites.module.css';
import { NewInvite } from './NewInvite.tsx';

type Invite = Readonly<InvitePartsFragment>;

export interface InvitesProps {
  readonly room: Pick<RoomPartsFragment, 'id' | 'name'>;
  readonly onClose: () => void;
}

/** The dialog in which owners and moderators create and revoke a room's invite links. */
export default function Invites({ room, onClose }: InvitesProps) {
  const { t } = useI18n();
  return (
    <Modal title={t('invites.title', { name: room.name })} open onClose={onClose}>
      <Open roomId={room.id} />
    </Modal>
  );
}

function Open({ roomId }: { readonly roomId: string }) {
  const { t, problem } = useI18n();
  const { api } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [invites, setInvites] = useState<readonly Invite[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const read = useCallback(
    async (after: string | null) => {
      try {
        const { room } = await api.queryUncached(InvitesDocument, {
          room: roomId,
          ...(after === null ? {} : { after }),
        });
        const page = room?.invites;
        const found = (page?.edges ?? []).map(({ node }) => node);
        setInvites((before = []) => eachOnce([...before, ...found]));
        setNext(page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null);
      } catch (thrown) {
        setError(problem(asApiError(thrown)));
      }
    },
    [api, roomId, problem],
  );
  useEffect(() => void read(null), [read]);

  const revoke = async (inviteId: string) => {
    const words = { NOT_FOUND: t('invites.revoked') };
    if (await attempt(() => api.mutate(RevokeInviteDocument, { input: { inviteId } }), words)) {
      toast(t('invites.revoked'));
    }
    setInvites((before = []) => before.filter(({ id }) => id !== inviteId));
  };

  const open = (invites ?? []).filter(isOpen);
  return (
    <>
      <NewInvite
        roomId={roomId}
        onMade={(made) => setInvites((before = []) => eachOnce([made, ...before]))}
      />
      <section>
        <h3 className={styles.heading}>{t('invites.active')}</h3>
        {error !== undefined && <p className={ui.error}>{error}</p>}
        {open.length === 0 && error === undefined && (
          <p className={ui.soft}>{t(invites === undefined ? 'app.loading' : 'invites.none')}</p>
        )}
        <ul className="plain">
          {open.map((invite) => (
            <Row key={invite.id} invite={invite} onRevoke={() => void revoke(invite.id)} />
          ))}
        </ul>
        {next !== null && (
          <button type="button" className={ui.quiet} onClick={() => void read(next)}>
            {t('invites.more')}
          </button>
        )}
      </section>
    </>
  );
}

function Row({ invite, onRevoke }: { readonly invite: Invite; readonly onRevoke: () => void }) {
  const { t, until, dateTime } = useI18n();
  const { createdBy, uses, maxUses, expiresAt } = invite;
  return (
    <li className={styles.invite}>
      <span>
        <span dir="auto">{t('invites.by', { name: nameOf(t, createdBy) })}</span>
        <small>
          {maxUses === null ? t('invites.uses', { uses }) : t('invites.usesOf', { uses, maxUses })}
          {' · '}
          <time dateTime={expiresAt} title={dateTime(expiresAt)}>
            {t('invites.expiresIn', { when: until(expiresAt) })}
          </time>
        </small>
      </span>
      <button type="button" className={ui.quiet} onClick={onRevoke}>
        {t('invites.revoke')}
      </button>
    </li>
  );
}

/** The server may keep expired and used-up invites for some days, so they are hidden here. */
const isOpen = ({ expiresAt, maxUses, uses }: Invite): boolean =>
  Date.parse(expiresAt) > Date.now() && (maxUses === null || uses < maxUses);

/** Without duplicates, newest first. */
const eachOnce = (invites: readonly Invite[]): readonly Invite[] =>
  [...new Map(invites.map((invite) => [invite.id, invite])).values()].sort((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  );
