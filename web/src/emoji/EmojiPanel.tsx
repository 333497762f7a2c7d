import { Tabs } from '@base-ui/react/tabs';
import { Clock } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import { EmojiGrid, type Pickable } from './EmojiGrid.tsx';
import styles from './emoji.module.css';
import { type Emoji, searchEmoji, TONES, type Tone, withTone } from './emoji.ts';
import { keepTone, keptTone, recentEmoji, rememberEmoji } from './kept.ts';

const FOUND_MAX = 60;
const RECENT = 'recent';
const STAMPS = 'stamps';
const HAND = { character: '✋', hasTones: true };

/** Emojibase's groups, each with the emoji on its tab. */
const GROUPS = [
  [0, 'emoji.smileys', '😀'],
  [1, 'emoji.people', '👋'],
  [3, 'emoji.nature', '🐻'],
  [4, 'emoji.food', '🍙'],
  [5, 'emoji.travel', '🚃'],
  [6, 'emoji.activities', '⚽'],
  [7, 'emoji.objects', '💡'],
  [8, 'emoji.symbols', '❤️'],
  [9, 'emoji.flags', '🏁'],
] as const;

export interface EmojiPanelProps {
  readonly all: readonly Emoji[];
  /** What the user searches for; if it is empty, tabs show all emoji. */
  readonly wanted: string;
  readonly onPick: (character: string) => void;
  /** Pictures that can be picked as well, with the picture of their tab. */
  readonly stamps?: { readonly face: ReactNode; readonly grid: ReactNode; readonly isEmpty: boolean };
}

/** All emoji in groups, or those that a search finds, after the pictures. */
export default function EmojiPanel({ all, wanted, onPick, stamps }: EmojiPanelProps) {
  const { t, language } = useI18n();
  const { viewer } = useSession();
  const [tone, setTone] = useState(keptTone);
  const [recent] = useState(() => recentEmoji(viewer.id));
  const found = useMemo(() => searchEmoji(all, wanted, FOUND_MAX), [all, wanted]);
  const pickables = (list: readonly Emoji[]): Pickable[] =>
    list.map((emoji) => ({ character: withTone(emoji, tone), name: emoji.names[language] }));
  const pick = (character: string) => {
    rememberEmoji(viewer.id, character);
    onPick(character);
  };

  if (wanted.trim() !== '') {
    const isNone = found.length === 0 && (stamps?.isEmpty ?? true);
    return (
      <div className={styles.panel}>
        {stamps?.isEmpty === false && stamps.grid}
        {isNone ? (
          <p className={ui.soft}>{t('emoji.none')}</p>
        ) : (
          <EmojiGrid label={t('emoji.title')} shown={pickables(found)} onPick={pick} />
        )}
      </div>
    );
  }
  return (
    <Tabs.Root defaultValue={stamps !== undefined ? STAMPS : recent.length > 0 ? RECENT : 0}>
      <Tabs.List className={styles.tabs} aria-label={t('emoji.groups')}>
        {stamps !== undefined && (
          <Tabs.Tab
            value={STAMPS}
            className={styles.tab}
            title={t('stamp.title')}
            aria-label={t('stamp.title')}
          >
            {stamps.face}
          </Tabs.Tab>
        )}
        {recent.length > 0 && (
          <Tabs.Tab
            value={RECENT}
            className={styles.tab}
            title={t('emoji.recent')}
            aria-label={t('emoji.recent')}
          >
            <Clock aria-hidden="true" />
          </Tabs.Tab>
        )}
        {GROUPS.map(([group, label, character]) => (
          <Tabs.Tab key={group} value={group} className={styles.tab} title={t(label)} aria-label={t(label)}>
            {character}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {stamps !== undefined && (
        <Tabs.Panel value={STAMPS} className={styles.panel}>
          {stamps.grid}
        </Tabs.Panel>
      )}
      <Tabs.Panel value={RECENT} className={styles.panel}>
        <EmojiGrid label={t('emoji.recent')} shown={named(recent, all, language)} onPick={pick} />
      </Tabs.Panel>
      {GROUPS.map(([group, label]) => (
        <Tabs.Panel key={group} value={group} className={styles.panel}>
          <EmojiGrid
            label={t(label)}
            shown={pickables(all.filter((emoji) => emoji.group === group))}
            onPick={pick}
          />
        </Tabs.Panel>
      ))}
      <label className={styles.tone}>
        <span>{t('emoji.tone')}</span>
        <select
          value={tone}
          onChange={({ target }) => {
            const next = TONES[target.selectedIndex] ?? 0;
            keepTone(next);
            setTone(next);
          }}
        >
          {TONES.map((one) => (
            <option key={one} value={one} aria-label={t(`emoji.tone${one}`)}>
              {withTone(HAND, one)}
            </option>
          ))}
        </select>
      </label>
    </Tabs.Root>
  );
}

/** Those of the viewer's characters that are known, with or without a tone. */
function named(characters: readonly string[], all: readonly Emoji[], language: 'en' | 'ja'): Pickable[] {
  const names = new Map<string, string>();
  for (const emoji of all)
    for (const tone of tonesOf(emoji)) names.set(withTone(emoji, tone), emoji.names[language]);
  return characters.flatMap((character) => {
    const name = names.get(character);
    return name === undefined ? [] : [{ character, name }];
  });
}

const tonesOf = ({ hasTones }: Emoji): readonly Tone[] => (hasTones ? TONES : [0]);
