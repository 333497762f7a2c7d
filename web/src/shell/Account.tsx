import { Menu } from '@base-ui/react/menu';
import { AppWindow, BellRing, CircleSlash, Keyboard, Languages, LogOut, Settings, UserX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { type Language, languages } from '../i18n/texts.ts';
import type { PageConfig } from '../session/pageConfig.ts';
import { useSession } from '../session/session.ts';
import { Layer } from '../ui/Layer.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import ui from '../ui/ui.module.css';
import { AccountButton } from './AccountButton.tsx';
import { deliverySettingsPath, SETTINGS_PATH } from './paths.ts';

export interface AccountProps {
  readonly config: PageConfig;
  readonly onSignOut: (why?: ApiError) => void;
  readonly onKeys: () => void;
}

const Blocked = lazyWithRetry(() => import('../members/Blocked.tsx'));
const DeleteAccount = lazyWithRetry(() => import('./DeleteAccount.tsx'));

/**
 * The account menu: windows for other demo users, settings, blocked people, keyboard shortcuts, language, sign-out, and
 * the end of the account.
 */
export default function Account({ config, onSignOut, onKeys }: AccountProps) {
  const { t, language, setLanguage } = useI18n();
  const { viewer } = useSession();
  const [, navigate] = useLocation();
  const [showsBlocked, setShowsBlocked] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const roomsIn = config.people.find(({ handle }) => handle === viewer.handle)?.language ?? language;
  const others = config.people
    .filter((person) => person.handle !== viewer.handle && person.language === roomsIn)
    .slice(0, 3);
  const other = (Object.keys(languages) as Language[]).find((tag) => tag !== language) ?? 'en';
  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<AccountButton />} />
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="top" align="start" sideOffset={6}>
            <Menu.Popup className={ui.popup}>
              {others.map(({ handle, name }) => (
                <Menu.Item
                  key={handle}
                  className={ui.item}
                  render={<a href={`/?as=${handle}`} target="_blank" rel="noopener" />}
                >
                  <AppWindow aria-hidden="true" /> {t('account.otherWindow', { name })}
                </Menu.Item>
              ))}
              {others.length > 0 && <Menu.Separator className={ui.separator} />}
              <Menu.Item className={ui.item} onClick={() => navigate(SETTINGS_PATH)}>
                <Settings aria-hidden="true" /> {t('app.settings')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => navigate(deliverySettingsPath)}>
                <BellRing aria-hidden="true" /> {t('delivery.title')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => setShowsBlocked(true)}>
                <CircleSlash aria-hidden="true" /> {t('blocked.title')}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={onKeys}>
                <Keyboard aria-hidden="true" /> {t('account.keys')}
              </Menu.Item>
              <Menu.Item className={ui.item} lang={other} onClick={() => void setLanguage(other)}>
                <Languages aria-hidden="true" /> {languages[other]}
              </Menu.Item>
              <Menu.Item className={ui.item} onClick={() => onSignOut()}>
                <LogOut aria-hidden="true" /> {t('account.signOut')}
              </Menu.Item>
              <Menu.Separator className={ui.separator} />
              <Menu.Item className={ui.item} onClick={() => setIsDeleting(true)}>
                <UserX aria-hidden="true" /> {t('account.deleteOpen')}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      <Suspense>
        {showsBlocked && <Blocked onClose={() => setShowsBlocked(false)} />}
        {isDeleting && (
          <DeleteAccount
            onDeleted={() => onSignOut(new ApiError('ACCOUNT_DELETED'))}
            onClose={() => setIsDeleting(false)}
          />
        )}
      </Suspense>
    </>
  );
}
