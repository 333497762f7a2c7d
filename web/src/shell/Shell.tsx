import { type MouseEvent, Suspense, useEffect, useState } from 'react';
import { Route, Switch } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import { RefusalToasts } from '../composer/RefusalToasts.tsx';
import { useDevice } from '../delivery/useDevice.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Announcer } from '../notifications/Announcer.tsx';
import { Cards } from '../people/Cards.tsx';
import { MembershipToasts } from '../rooms/MembershipToasts.tsx';
import type { PageConfig } from '../session/pageConfig.ts';
import { useLanguageSync } from '../session/useLanguageSync.ts';
import { RoomPage } from '../timeline/RoomPage.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { BadgeInTitle } from '../unread/BadgeInTitle.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { Keys } from './Keys.tsx';
import { NotFound } from './NotFound.tsx';
import { deliverySettingsPath, SAVED_PATH, SETTINGS_PATH, THREADS_PATH } from './paths.ts';
import styles from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';
import { SingleKeysContext, useKeptSingleKeys } from './singleKeys.ts';
import { Welcome } from './Welcome.tsx';

const InvitePage = lazyWithRetry(() => import('../invites/InvitePage.tsx'));
const DeliverySettings = lazyWithRetry(() => import('../delivery/SettingsPage.tsx'));
const NewRelease = lazyWithRetry(() => import('../release/NewRelease.tsx'));
const SettingsPage = lazyWithRetry(() => import('../settings/SettingsPage.tsx'));
const SavedPage = lazyWithRetry(() => import('../saved/SavedPage.tsx'));
const ThreadsPage = lazyWithRetry(() => import('../threads/ThreadsPage.tsx'));

export interface ShellProps {
  readonly config: PageConfig;
  readonly onSignOut: (why?: ApiError) => void;
}

/** The rooms on the left and the open page on the right. A phone shows only one of them. */
export function Shell({ config, onSignOut }: ShellProps) {
  const { t } = useI18n();
  const [showsKeys, setShowsKeys] = useState(false);
  const singleKeys = useKeptSingleKeys();
  useLanguageSync();
  useDevice();
  const [isUsed, setIsUsed] = useState(false);
  useEffect(() => loadTheRest(() => setIsUsed(true)), []);
  return (
    <SingleKeysContext value={singleKeys}>
      <Cards>
        <div className={styles.shell}>
          {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page. */}
          <a className={styles.skip} href="#main" onClick={skipToMessages}>
            {t('app.skip')}
          </a>
          <BadgeInTitle />
          <MembershipToasts />
          <RefusalToasts />
          <Announcer />
          <Keys open={showsKeys} onOpen={setShowsKeys} />
          <ConnectionBanner />
          <Suspense>
            <NewRelease />
          </Suspense>
          <div className={styles.columns}>
            <Sidebar
              config={config}
              onSignOut={onSignOut}
              isUsed={isUsed}
              onKeys={() => setShowsKeys(true)}
            />
            <Switch>
              <Route path="/rooms/:room/messages/:message">
                {({ room, message }) => <RoomPage key={room} roomId={room} messageId={message} />}
              </Route>
              <Route path="/rooms/:room/threads/:root">
                {({ room, root }) => <RoomPage key={room} roomId={room} rootId={root} />}
              </Route>
              <Route path="/rooms/:room/members">
                {({ room }) => <RoomPage key={room} roomId={room} showsMembers />}
              </Route>
              <Route path="/invite/:code">
                {({ code }) => (
                  <Suspense>
                    <InvitePage key={code} code={code} />
                  </Suspense>
                )}
              </Route>
              <Route path={deliverySettingsPath}>
                <Suspense>
                  <DeliverySettings />
                </Suspense>
              </Route>
              <Route path={SETTINGS_PATH}>
                <Suspense>
                  <SettingsPage
                    hasProvider={config.signIn !== undefined}
                    onKeys={() => setShowsKeys(true)}
                    onSignOut={onSignOut}
                  />
                </Suspense>
              </Route>
              <Route path={THREADS_PATH}>
                <Suspense>
                  <ThreadsPage />
                </Suspense>
              </Route>
              <Route path={`${SAVED_PATH}/tags/:tag`}>
                {({ tag }) => (
                  <Suspense>
                    <SavedPage list={undefined} tag={tag} />
                  </Suspense>
                )}
              </Route>
              <Route path={`${SAVED_PATH}/:list?`}>
                {({ list }) => (
                  <Suspense>
                    <SavedPage list={list} tag={undefined} />
                  </Suspense>
                )}
              </Route>
              <Route path="/rooms/:room">{({ room }) => <RoomPage key={room} roomId={room} />}</Route>
              <Route path="/">
                <Welcome />
              </Route>
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </div>
        </div>
      </Cards>
    </SingleKeysContext>
  );
}

/**
 * In a room, the messages come after a header with many buttons. Other pages begin with their content. In a narrow
 * window, an open thread covers the timeline.
 */
function skipToMessages(event: MouseEvent): void {
  const lists = document.querySelectorAll<HTMLElement>('#main [role="log"]');
  const messages = [...lists].find((list) => list.checkVisibility({ visibilityProperty: true }));
  if (messages === undefined) return;
  event.preventDefault();
  messages.focus();
}

/**
 * Loads the scripts of menus and panels when the pointer first moves or a key is first pressed, so that a click does
 * not wait for them. Users who only read a message do not load them: they are a quarter of the bytes of a room. After a
 * while they are loaded anyway, because without a connection only loaded scripts work. `onUsed` is called when it
 * begins.
 */
function loadTheRest(onUsed: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    for (const input of INPUTS) removeEventListener(input, load);
  };
  const load = () => {
    stop();
    onUsed();
    const scripts = [
      import('../timeline/MessageToolbar.tsx'),
      import('../timeline/EditForm.tsx'),
      import('../thread/ThreadPane.tsx'),
      import('../rooms/RoomMenu.tsx'),
      import('../members/MembersPane.tsx'),
      import('../members/MemberMenu.tsx'),
      import('./KeyList.tsx'),
      import('../notifications/Panel.tsx'),
      import('../threads/ThreadsPage.tsx'),
      import('../saved/SavedPage.tsx'),
      import('../saved/SaveDialog.tsx'),
      import('../switcher/Switcher.tsx'),
    ];
    // A script that fails to load now is requested again when it is needed.
    void Promise.allSettled(scripts);
  };
  const timer = setTimeout(load, REST_AFTER_MS);
  for (const input of INPUTS) addEventListener(input, load, { passive: true });
  return stop;
}

/** The events of a user's first action. */
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;
const REST_AFTER_MS = 15_000;
