import { createContext, use } from 'react';
import { keep } from '../state/keep.ts';
import { createStore, type Store, useStore } from '../state/store.ts';

/** How the page looks in this browser, for all of its users. */
export interface Preferences {
  readonly theme: Theme;
  readonly density: Density;
  /** Hours on a clock. */
  readonly clock: Clock;
}

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ['roomy', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];
export const CLOCKS = ['24', '12'] as const;
export type Clock = (typeof CLOCKS)[number];

const PLACE = 'tsudoi:look';

/** The choices kept in this browser. Changes apply at once, also in its other tabs. */
export function createPreferences(): Store<Preferences> {
  const store = createStore(kept());
  const apply = () => applyTo(document.documentElement, store.get());
  apply();
  store.subscribe(apply);
  addEventListener('storage', ({ key }) => {
    if (key === PLACE || key === null) store.set(kept());
  });
  return {
    ...store,
    set: change,
    update: (next) => change(next(store.get())),
  };

  function change(next: Preferences): void {
    keep(localStorage, PLACE, JSON.stringify(next));
    store.set(next);
  }
}

/** Values of another release, or that someone has edited, are left out. */
function kept(): Preferences {
  let found: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    found = (JSON.parse(localStorage.getItem(PLACE) ?? '{}') ?? {}) as typeof found;
  } catch {
    // The defaults.
  }
  const oneOf = <T>(choices: readonly [T, ...T[]], value: unknown): T =>
    choices.find((choice) => choice === value) ?? choices[0];
  return {
    theme: oneOf(THEMES, found.theme),
    density: oneOf(DENSITIES, found.density),
    clock: oneOf(CLOCKS, found.clock),
  };
}

const PAPER = { light: '#f3f1ec', dark: '#121519' };

/** The style sheets depend on these attributes (`ui/base.css`). */
function applyTo({ dataset, ownerDocument }: HTMLElement, { theme, density }: Preferences): void {
  dataset.theme = theme;
  dataset.density = density;
  // The colour of the browser's own bars.
  for (const meta of ownerDocument.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = PAPER[theme === 'system' ? own : theme];
  }
}

export const PreferencesContext = createContext<Store<Preferences> | undefined>(undefined);

export function usePreferences(): readonly [Preferences, Store<Preferences>] {
  const store = use(PreferencesContext);
  if (store === undefined) throw new Error('usePreferences needs a PreferencesContext.');
  return [useStore(store), store];
}
