import {
  BellRing,
  Bookmark,
  Compass,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  MessagesSquare,
  Plus,
  Settings,
  SquarePen,
} from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { asApiError } from '../api/errors.ts';
import { type TextKey, useI18n } from '../i18n/i18n.ts';
import { type Language, languages } from '../i18n/texts.ts';
import { nameOf } from '../members/name.ts';
import { useKnownUsers } from '../members/useKnownUsers.ts';
import { useRoomsInOrder } from '../rooms/order.ts';
import { RoomFace } from '../rooms/RoomFace.tsx';
import { useTitle } from '../rooms/title.ts';
import { useDirect } from '../rooms/useDirect.ts';
import { useSession } from '../session/session.ts';
import { deliverySettingsPath, roomPath, SAVED_PATH, SETTINGS_PATH, THREADS_PATH } from '../shell/paths.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { matching, type Ranked } from '../ui/fuzzy.ts';
import { useToast } from '../ui/Toasts.tsx';
import { recentRooms } from './recentRooms.ts';

/** A dialog that the sidebar opens. */
export type Dialog = 'directory' | 'create' | 'message';

export interface SwitcherActions {
  open(dialog: Dialog): void;
  showKeys(): void;
  signOut(): void;
}

export interface Destination {
  readonly id: string;
  readonly group: 'rooms' | 'people' | 'actions';
  readonly name: string;
  readonly hint?: string;
  readonly face: ReactNode;
  go(): void;
}

const ROOMS_AT_FIRST = 8;
const ROOMS_FOUND = 12;
const PEOPLE_FOUND = 6;

/**
 * What the switcher opens. Without a text: the rooms opened last, then others, and the actions. With one: what matches
 * it. Actions are found by their words in every language of the page.
 */
export function useDestinations(wanted: string, actions: SwitcherActions): readonly Destination[] {
  const i18n = useI18n();
  const { t, problem } = i18n;
  const { viewer, badge } = useSession();
  const rooms = useRoomsInOrder();
  const titleOf = useTitle();
  const people = useKnownUsers(wanted);
  const [, navigate] = useLocation();
  const openDirect = useDirect();
  const toast = useToast();

  const recent = useMemo(() => recentRooms(viewer.id), [viewer.id]);
  const byRecency = useMemo(() => {
    const place = (id: string) => {
      const at = recent.indexOf(id);
      return at < 0 ? recent.length : at;
    };
    return [...rooms].sort((one, other) => place(one.room.id) - place(other.room.id));
  }, [rooms, recent]);

  const toRooms = byRecency.map(({ room }): Ranked<Destination> => {
    const name = titleOf(room);
    const unread = badge.get().rooms.get(room.id) ?? 0;
    const hint = unread > 0 ? t('switcher.unread', { unread }) : undefined;
    const handles = room.people?.flatMap(({ handle }) => handle ?? []) ?? [];
    return {
      names: [name, ...handles],
      value: {
        id: `room-${room.id}`,
        group: 'rooms',
        name,
        face: <RoomFace room={room} />,
        ...(hint === undefined ? {} : { hint }),
        go: () => navigate(roomPath(room.id)),
      },
    };
  });
  const toPeople = (people ?? [])
    .filter(({ id }) => id !== viewer.id)
    .map((person): Ranked<Destination> => {
      const name = nameOf(t, person);
      return {
        names: [name, ...(person.handle === null ? [] : [person.handle, `@${person.handle}`])],
        value: {
          id: `person-${person.id}`,
          group: 'people',
          name,
          face: <Avatar person={person} size={1.5} />,
          ...(person.handle === null ? {} : { hint: `@${person.handle}` }),
          go: () => void openDirect([person.id]).catch((error: unknown) => toast(problem(asApiError(error)))),
        },
      };
    });
  const toActions = ACTIONS.map(({ text, also, Icon, run }): Ranked<Destination> => {
    const name = t(text);
    return {
      names: [name, ...also],
      value: {
        id: text,
        group: 'actions',
        name,
        face: <Icon aria-hidden="true" />,
        go: () => run({ ...actions, navigate }),
      },
    };
  });

  const [other, language] = otherLanguage(i18n.language);
  const toLanguage: Ranked<Destination> = {
    names: [language, 'language', '言語'],
    value: {
      id: 'language',
      group: 'actions',
      name: language,
      face: <Languages aria-hidden="true" />,
      go: () => void i18n.setLanguage(other),
    },
  };
  const toSettings: Ranked<Destination> = {
    names: [
      t('app.settings'),
      'settings',
      'preferences',
      'profile',
      'theme',
      '設定',
      'プロフィール',
      'テーマ',
    ],
    value: {
      id: 'settings',
      group: 'actions',
      name: t('app.settings'),
      face: <Settings aria-hidden="true" />,
      go: () => navigate(SETTINGS_PATH),
    },
  };
  toActions.push(toLanguage, toSettings);
  // Not among what is offered without a text: one press of Enter too early would delete the drafts.
  const toSignOut: Ranked<Destination> = {
    names: [t('account.signOut'), 'sign out', 'log out', 'サインアウト', 'ログアウト'],
    value: {
      id: 'signOut',
      group: 'actions',
      name: t('account.signOut'),
      face: <LogOut aria-hidden="true" />,
      go: actions.signOut,
    },
  };

  if (wanted.trim() === '') {
    return [...toRooms.slice(0, ROOMS_AT_FIRST), ...toActions].map(({ value }) => value);
  }
  return [
    ...matching(toRooms, wanted).slice(0, ROOMS_FOUND),
    ...matching(toPeople, wanted).slice(0, PEOPLE_FOUND),
    ...matching([...toActions, toSignOut], wanted),
  ];
}

const otherLanguage = (language: Language): readonly [Language, string] =>
  language === 'en' ? ['ja', languages.ja] : ['en', languages.en];

interface Surroundings extends SwitcherActions {
  navigate(path: string): void;
}

interface Action {
  readonly text: TextKey;
  /** What else finds it, in the page's other language and in other words. */
  readonly also: readonly string[];
  readonly Icon: LucideIcon;
  run(around: Surroundings): void;
}

const ACTIONS: readonly Action[] = [
  {
    text: 'threads.title',
    also: ['threads', 'スレッド'],
    Icon: MessagesSquare,
    run: ({ navigate }) => navigate(THREADS_PATH),
  },
  {
    text: 'saved.title',
    also: ['saved', 'bookmarks', 'reminders', '保存済み', 'リマインダー'],
    Icon: Bookmark,
    run: ({ navigate }) => navigate(SAVED_PATH),
  },
  {
    text: 'rooms.browse',
    also: ['browse rooms', 'directory', 'join', 'ルームを探す', '参加'],
    Icon: Compass,
    run: ({ open }) => open('directory'),
  },
  {
    text: 'rooms.new',
    also: ['create room', 'new room', 'ルームを作成'],
    Icon: Plus,
    run: ({ open }) => open('create'),
  },
  {
    text: 'direct.new',
    also: ['new message', 'direct message', '新しいメッセージ'],
    Icon: SquarePen,
    run: ({ open }) => open('message'),
  },
  {
    text: 'delivery.title',
    also: ['settings', 'notifications', '設定', '通知'],
    Icon: BellRing,
    run: ({ navigate }) => navigate(deliverySettingsPath),
  },
  {
    text: 'keys.title',
    also: ['keyboard shortcuts', 'help', 'キーボード', 'ヘルプ'],
    Icon: Keyboard,
    run: ({ showKeys }) => showKeys(),
  },
];
