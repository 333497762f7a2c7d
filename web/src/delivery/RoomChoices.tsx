import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { RoomFace } from '../rooms/RoomFace.tsx';
import { useTitle } from '../rooms/title.ts';
import { useOwnRooms } from '../rooms/useOwnRooms.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import pane from '../ui/pane.module.css';
import ui from '../ui/ui.module.css';
import { useLateTexts } from './lateTexts.ts';
import RoomNotifications from './RoomNotifications.tsx';
import settings from './settings.module.css';

/** The rooms of which the viewer gets something else than by default, each with the dialog that changes it. */
export function RoomChoices() {
  const { t, language } = useI18n();
  const texts = useLateTexts();
  const titleOf = useTitle();
  const { rooms } = useSession();
  const own = useOwnRooms();
  const [open, setOpen] = useState<{ readonly id: string; readonly title: string }>();
  const heading = useRef<HTMLHeadingElement>(null);
  const pressed = useRef<HTMLButtonElement>(null);
  // No event says what the viewer chose in another browser.
  useEffect(() => void rooms.refresh(), [rooms]);

  const chosen = own
    ?.filter(({ muted, delivery }) => muted === true || (delivery ?? 'DEFAULT') !== 'DEFAULT')
    .map((one) => ({ ...one, title: titleOf(one.room) }))
    .sort((one, other) => one.title.localeCompare(other.title, language));

  return (
    <section className={settings.section} aria-labelledby="delivery-rooms">
      <h2 id="delivery-rooms" ref={heading} tabIndex={-1}>
        {texts.rooms}
      </h2>
      <p className={ui.soft}>{texts.roomsHint}</p>
      {chosen === undefined && <p className={ui.soft}>{t('app.loading')}</p>}
      {chosen?.length === 0 && <p>{texts.noRooms}</p>}
      {chosen !== undefined && chosen.length > 0 && (
        <ul className="plain">
          {chosen.map(({ id, room, title, muted, delivery }) => (
            <li key={id} className={pane.person}>
              <span className={settings.face}>
                <RoomFace room={room} />
              </span>
              <span>
                <Link href={roomPath(room.id)} dir="auto">
                  {title}
                </Link>
                <small>
                  {texts.choice[delivery ?? 'DEFAULT']}
                  {muted === true && ` · ${texts.muted}`}
                </small>
              </span>
              <button
                type="button"
                className={ui.quiet}
                aria-label={texts.changeNamed(title)}
                onClick={(event) => {
                  pressed.current = event.currentTarget;
                  setOpen({ id: room.id, title });
                }}
              >
                {texts.change}
              </button>
            </li>
          ))}
        </ul>
      )}
      {open !== undefined && (
        <RoomNotifications
          roomId={open.id}
          name={open.title}
          onClose={() => setOpen(undefined)}
          // The row is gone if the default was chosen.
          finalFocus={() => (pressed.current?.isConnected === true ? pressed.current : heading.current)}
        />
      )}
    </section>
  );
}
