import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type ApiError, asApiError, type FailureCode } from '../api/errors.ts';
import { JoinWithInviteDocument } from '../generated/graphql.ts';
import { type TextKey, useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Mark } from '../ui/Mark.tsx';
import ui from '../ui/ui.module.css';
import styles from './invites.module.css';

/**
 * The page that an invite link opens. It names the room only after the viewer has joined it or its waitlist, because
 * outsiders must learn nothing about a private room. An invalid code looks like one that never existed.
 */
export default function InvitePage({ code }: { readonly code: string }) {
  const { t, problem } = useI18n();
  const { api, rooms, viewer } = useSession();
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);

  /** The room's page shows the place on the waitlist. */
  async function join(waitlist: boolean) {
    setIsBusy(true);
    try {
      const { joinWithInvite } = await rooms.changeMembership(
        () => api.mutate(JoinWithInviteDocument, { input: { code, waitlist } }),
        (joined) => joined.joinWithInvite.room.id,
      );
      if (joinWithInvite.membership === null) void rooms.refreshWaitlists();
      navigate(roomPath(joinWithInvite.room.id), { replace: true });
    } catch (thrown) {
      setFailure({ error: asApiError(thrown), waitlist });
      setIsBusy(false);
    }
  }

  const error = failure?.error;
  const refusal = failure === undefined ? undefined : refusalOf(failure);
  const canTry = error === undefined || refusal === undefined || error.code === 'ROOM_FULL';
  return (
    <main id="main" className={styles.page}>
      <Mark />
      <h1>{t(refusal === undefined ? 'invite.title' : refusal.title)}</h1>
      <p role={error === undefined ? undefined : 'alert'}>
        {refusal !== undefined
          ? t(refusal.hint)
          : error !== undefined
            ? problem(error)
            : t('invite.hint', { name: viewer.displayName })}
      </p>
      <div className={styles.choices}>
        {canTry && (
          <BusyButton className={ui.button} isBusy={isBusy} onClick={() => void join(false)}>
            {t(error === undefined ? 'invite.join' : 'app.retry')}
          </BusyButton>
        )}
        {refusal === FULL && (
          <BusyButton className={ui.quiet} isBusy={isBusy} onClick={() => void join(true)}>
            {t('seat.joinWaitlist')}
          </BusyButton>
        )}
        <Link href="/" className={ui.quiet}>
          {t('rooms.backToList')}
        </Link>
      </div>
    </main>
  );
}

interface Refusal {
  readonly title: TextKey;
  readonly hint: TextKey;
}

interface Failure {
  readonly error: ApiError;
  /** Whether the waitlist would have done. */
  readonly waitlist: boolean;
}

const FULL: Refusal = { title: 'invite.full', hint: 'invite.fullHint' };
const WAITLIST_FULL: Refusal = { title: 'invite.full', hint: 'invite.waitlistFullHint' };
const ON_MOST_WAITLISTS: Refusal = { title: 'invite.waits', hint: 'invite.waitsHint' };

function refusalOf({ error: { code, reason }, waitlist }: Failure): Refusal | undefined {
  if (code === 'ROOM_FULL' && waitlist) return WAITLIST_FULL;
  return reason === 'LIMIT_REACHED' ? ON_MOST_WAITLISTS : REFUSALS[code];
}

const GONE: Refusal = { title: 'invite.gone', hint: 'invite.goneHint' };

/** What an error code means for an invitation. Temporary errors use the general texts and can be retried. */
const REFUSALS: Readonly<Partial<Record<FailureCode, Refusal>>> = {
  NOT_FOUND: GONE,
  BAD_USER_INPUT: GONE,
  FORBIDDEN: { title: 'invite.banned', hint: 'invite.bannedHint' },
  ALREADY_MEMBER: { title: 'invite.already', hint: 'invite.alreadyHint' },
  ROOM_FULL: FULL,
  CONFLICT: { title: 'invite.tooMany', hint: 'invite.tooManyHint' },
};
