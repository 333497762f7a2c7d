import { X } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { MembersDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import pane from '../ui/pane.module.css';
import ui from '../ui/ui.module.css';
import { useEscape } from '../ui/useEscape.ts';

export interface MembersPaneProps {
  readonly roomId: string;
  readonly onClose: () => void;
}

/** Who is in the room, and what they may do there. */
export function MembersPane({ roomId, onClose }: MembersPaneProps) {
  const { t } = useI18n();
  useEscape(onClose);
  const [after, setAfter] = useState<string>();
  const [{ data }] = useQuery({
    query: MembersDocument,
    variables: { room: roomId, ...(after === undefined ? {} : { after }) },
    requestPolicy: 'cache-and-network',
  });
  const members = data?.room?.members;
  return (
    <aside className={pane.pane} aria-label={t('members.title')}>
      <header className={pane.head}>
        <h2>{t('members.title')}</h2>
        <IconButton label={t('app.close')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className={pane.body}>
        <ul className="plain">
          {members?.edges.map(({ node: { id, role, user } }) => (
            <li key={id} className={pane.person}>
              <Avatar person={user} />
              <span>
                <strong dir="auto">{user.displayName}</strong>
                {user.handle !== null && <small>@{user.handle}</small>}
              </span>
              {role !== 'MEMBER' && <span className={pane.role}>{t(`role.${role}`)}</span>}
            </li>
          ))}
        </ul>
        {members?.pageInfo.hasNextPage === true && (
          <button
            type="button"
            className={ui.quiet}
            onClick={() => setAfter(members.pageInfo.endCursor ?? undefined)}
          >
            {t('members.more')}
          </button>
        )}
      </div>
    </aside>
  );
}
