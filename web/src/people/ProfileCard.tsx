import { Popover } from '@base-ui/react/popover';
import { Clock, MessageCircle, NotebookPen, Pencil } from 'lucide-react';
import { use, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { asApiError } from '../api/errors.ts';
import { ProfileDocument, type ProfileFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { useDirect } from '../rooms/useDirect.ts';
import { useSession } from '../session/session.ts';
import { SETTINGS_PATH } from '../shell/paths.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { CardContext, type OpenCard } from './card.ts';
import styles from './ProfileCard.module.css';
import { PublicSaved } from './PublicSaved.tsx';
import { usePeopleTexts } from './texts.ts';

export interface ProfileCardProps {
  readonly card: OpenCard;
  readonly onClose: () => void;
}

/** A user's picture, handle and local time, a way to write to them, and what they have saved publicly. */
export default function ProfileCard({ card, onClose }: ProfileCardProps) {
  const s = usePeopleTexts();
  const { anchor } = card;
  const open = use(CardContext);
  // The card of a user who is named in this one takes its place: what was pressed is gone then.
  const openHere = useCallback(({ userId }: OpenCard) => open?.({ userId, anchor }), [open, anchor]);
  return (
    <Popover.Root key={card.userId} open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Layer of={Popover.Portal}>
        <Popover.Positioner anchor={anchor} side="bottom" align="start" sideOffset={6} collisionPadding={8}>
          <Popover.Popup
            className={`${ui.popup} ${styles.card}`}
            aria-label={s.profile}
            finalFocus={() => (anchor instanceof HTMLElement ? anchor : null)}
          >
            <CardContext value={openHere}>
              <Card userId={card.userId} onClose={onClose} />
            </CardContext>
          </Popover.Popup>
        </Popover.Positioner>
      </Layer>
    </Popover.Root>
  );
}

function Card({ userId, onClose }: Pick<OpenCard, 'userId'> & Pick<ProfileCardProps, 'onClose'>) {
  const { t, problem } = useI18n();
  const { api } = useSession();
  const [profile, setProfile] = useState<ProfileFragment | null>();
  const [error, setError] = useState<string>();
  const say = useRef(problem);
  say.current = problem;
  useEffect(() => {
    let isOver = false;
    api.query(ProfileDocument, { id: userId }).then(
      ({ node }) => isOver || setProfile(node?.__typename === 'User' ? node : null),
      (thrown: unknown) => isOver || setError(say.current(asApiError(thrown))),
    );
    return () => {
      isOver = true;
    };
  }, [api, userId]);
  if (profile === undefined || profile === null) {
    return (
      <p className={styles.note} role={error === undefined ? 'status' : 'alert'}>
        {error ?? t(profile === null ? 'people.former' : 'app.loading')}
      </p>
    );
  }
  return <Shown profile={profile} onClose={onClose} />;
}

interface ShownProps extends Pick<ProfileCardProps, 'onClose'> {
  readonly profile: Readonly<ProfileFragment>;
}

function Shown({ profile, onClose }: ShownProps) {
  const { t, timeIn } = useI18n();
  const s = usePeopleTexts();
  const { viewer } = useSession();
  const openDirect = useDirect();
  const attempt = useAttempt();
  const [isBusy, setIsBusy] = useState(false);
  const { id, handle, timeZone, isFormer } = profile;
  const isViewer = id === viewer.id;
  const time = timeZone === null ? undefined : timeIn(timeZone);
  const write = async () => {
    setIsBusy(true);
    if (await attempt(() => openDirect([id]), { FORBIDDEN: t('direct.forbidden') })) onClose();
    else setIsBusy(false);
  };
  return (
    <>
      <div className={styles.who}>
        <Picture profile={profile} />
        <div>
          <h2 dir="auto">{nameOf(t, profile)}</h2>
          {handle !== null && <p className={ui.soft}>@{handle}</p>}
        </div>
      </div>
      {time !== undefined && (
        <p className={styles.time}>
          <Clock aria-hidden="true" /> {s.localTime(time)}
        </p>
      )}
      {!isFormer && (
        <div className={styles.actions}>
          <BusyButton className={ui.button} isBusy={isBusy} onClick={() => void write()}>
            {isViewer ? <NotebookPen aria-hidden="true" /> : <MessageCircle aria-hidden="true" />}
            {isViewer ? t('direct.notes') : s.message}
          </BusyButton>
          {isViewer && (
            <Link href={SETTINGS_PATH} className={ui.quiet} onClick={onClose}>
              <Pencil aria-hidden="true" /> {s.edit}
            </Link>
          )}
        </div>
      )}
      {!isFormer && <PublicSaved userId={id} onClose={onClose} />}
    </>
  );
}

/** It is on a server that the user chose, so it is requested only when someone opens their card. */
function Picture({ profile }: Pick<ShownProps, 'profile'>) {
  const [hasFailed, setHasFailed] = useState(false);
  if (profile.avatarUrl === null || hasFailed) return <Avatar person={profile} size={4} />;
  return (
    <img
      src={profile.avatarUrl}
      className={styles.picture}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setHasFailed(true)}
    />
  );
}
