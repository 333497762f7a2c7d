import { toTimestamp } from '../../../core/timestamps.ts';
import { isStampKey } from '../../../dynamo/keys.ts';
import { withShortestHandles } from '../../../messages/mentions.ts';
import { KINDS_MAX, TOTAL_MAX } from '../../../reactions/stamps/stamp.ts';
import type { Directory } from '../../directory.ts';
import { checkBody, checked } from '../../fields.ts';
import { LineProblem, type Problems } from '../../problems.ts';
import type { ImportedMessage, Place } from '../../types.ts';
import { emojiNamed } from './emoji.ts';
import { message as messageSchema, type SlackMessage } from './schemas.ts';
import { convertedText } from './text.ts';

export interface ChannelReaderOptions {
  readonly directory: Directory;
  readonly problems: Problems;
  readonly channelName: (id: string) => string | undefined;
}

/** Notes of what happened in the channel, which have no text of a person. */
const NOTICES =
  /^(?:(?:channel|group|huddle|reminder|sh_room|app_conversation)_|bot_(?:add|remove)|(?:un)?pinned_item)/;
/** A root that was deleted while it had replies. */
const TOMBSTONE = 'tombstone';
/** In every workspace, and in no list of people. It is the author of tombstones. */
const SLACKBOT = 'USLACKBOT';

/** `1355517523.000005` in microseconds. */
export function microsOfTs(ts: string): number | undefined {
  const [, seconds, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(ts) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

interface Found {
  readonly message: SlackMessage;
  readonly place: Place;
}

/**
 * The messages of one channel, day by day. Changes and deletions may be on later days, so all are held until the end.
 */
export function createChannelReader({ directory, problems, channelName }: ChannelReaderOptions) {
  const found = new Map<string, Found>();
  const deletedAt = new Map<string, string>();
  /** Messages that others answer. */
  const answered = new Set<string>();

  function readDay(name: string, values: readonly unknown[]): void {
    for (const [i, one] of values.entries()) {
      const place = `${name}:${i + 1}`;
      noted(place, () => read(checked(messageSchema, one), place));
    }
  }

  function noted(place: Place, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.add(place, error.message);
    }
  }

  function read(message: SlackMessage, place: Place): void {
    const { subtype = '', ts, deleted_ts } = message;
    if (subtype === 'message_deleted') {
      if (deleted_ts !== undefined) deletedAt.set(deleted_ts, ts);
    } else if (subtype === 'message_changed') {
      if (message.message !== undefined) found.set(message.message.ts, { message: message.message, place });
    } else if (!NOTICES.test(subtype)) {
      // A reply that was also sent to the channel may be there twice.
      found.set(ts, { message, place });
    }
  }

  function* messages(): Generator<{ readonly message: ImportedMessage; readonly place: Place }> {
    for (const { message } of found.values()) {
      if (message.thread_ts !== undefined && message.thread_ts !== message.ts)
        answered.add(message.thread_ts);
    }
    for (const { message, place } of found.values()) {
      const converted: ImportedMessage[] = [];
      noted(place, () => converted.push(...convert(message)));
      for (const one of converted) yield { message: one, place };
    }
  }

  /** None if there is nothing to show. A root without text is kept for its replies. */
  function convert(message: SlackMessage): ImportedMessage[] {
    const { ts, thread_ts, edited, subtype } = message;
    const at = timeOf(ts);
    const gone = deletedAt.get(ts) ?? (subtype === TOMBSTONE ? ts : undefined);
    const converted = convertedText(textOf(message), { person: directory.known, channelName });
    const isDeleted = gone !== undefined;
    const isBlank = !isDeleted && converted.body.trim() === '';
    if (isBlank && !answered.has(ts)) return [];
    const { body, mentions } = isBlank ? { body: withoutText(message), mentions: [] } : converted;
    if (!isDeleted) checkBody(withShortestHandles(body), 'text');
    const root = thread_ts === undefined || thread_ts === ts ? null : thread_ts;
    return [
      {
        key: ts,
        // Its root may be older than the export.
        replyTo: root !== null && found.has(root) ? root : null,
        at,
        author: authorOf(message),
        version: null,
        position: null,
        likes: [],
        ...(isDeleted ? { body: null, mentions: [] } : { body, mentions }),
        editedAt: isDeleted || edited == null ? null : toTimestamp(Math.max(at + 1, timeOf(edited.ts))),
        edits: isDeleted || edited == null ? 0 : 1,
        deletedAt: gone === undefined ? null : toTimestamp(Math.max(at + 1, timeOf(gone))),
        externalId: directory.identities.externalId(ts),
        stamps: isDeleted ? [] : stampsOf(message, at),
      },
    ];
  }

  function timeOf(ts: string): number {
    const micros = microsOfTs(ts);
    if (micros === undefined) throw new LineProblem(`${JSON.stringify(ts)} is not a time of Slack.`);
    if (micros > directory.now * 1_000) throw new LineProblem('`ts` must not be in the future.');
    return micros;
  }

  /** A person of the export; an app; or someone of another workspace, whose name the message has. */
  function authorOf({ user, bot_id, username, user_profile }: SlackMessage): string {
    const own = user === undefined ? undefined : directory.known(user);
    if (own !== undefined) return own;
    if (user === SLACKBOT) return directory.know({ id: user, displayName: 'Slackbot' });
    const name = username ?? user_profile?.display_name ?? user_profile?.real_name;
    const id = user ?? bot_id ?? username?.toWellFormed();
    if (id === undefined) throw new LineProblem('The message has no author.');
    if (bot_id === undefined && !name && !directory.mayCreate) {
      throw new LineProblem(
        `The person ${JSON.stringify(id)} is not in users.json. Add --create PUBLIC to make them.`,
      );
    }
    return directory.know({ id, displayName: name || (bot_id === undefined ? id : 'App') });
  }

  /** Slack does not say when: right after the message, in the order that it has. */
  function stampsOf({ reactions }: SlackMessage, at: number): ImportedMessage['stamps'] {
    const kinds = new Map<string, Set<string>>();
    for (const { name, users } of reactions ?? []) {
      const key = emojiNamed(name) ?? customKey(name);
      if (key === undefined || (kinds.size === KINDS_MAX && !kinds.has(key))) continue;
      const of = kinds.get(key) ?? new Set();
      for (const user of users)
        of.add(directory.known(user) ?? directory.know({ id: user, displayName: 'Someone' }));
      kinds.set(key, of);
    }
    return [...kinds]
      .flatMap(([stampKey, users]) => [...users].map((user) => ({ stampKey, user })))
      .slice(0, TOTAL_MAX)
      .map((stamp, i) => ({ ...stamp, at: at + 1 + i }));
  }

  return { readDay, messages };
}

/** The workspace's own emoji: a stamp with its name, which has a picture if the catalogue has one. */
const customKey = (name: string): string | undefined => (isStampKey(name) ? name : undefined);

/** What stands for a message that has no text. */
const withoutText = ({ attachments }: SlackMessage): string =>
  attachments?.length ? '[attachment without text]' : '[message without text]';

/** Files are named; they are not part of the export. */
function textOf({ text, files, attachments }: SlackMessage): string {
  const named = (files ?? []).map(({ title, name, mode }) =>
    mode === 'tombstone' ? '[deleted file]' : `[file: ${title || name || 'unnamed'}]`,
  );
  const own = text?.trim() ? [text] : (attachments ?? []).flatMap((one) => one.text || one.fallback || []);
  return [...own, ...named].join('\n');
}
