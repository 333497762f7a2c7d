/** The parts that a key is made of: ids, timestamps, names. Each is written as text without `#`, and read from it. */
import { fromCodePoints, toCodePoints } from '../core/codePoints.ts';
import { isTimestamp, type Timestamp, toTimestamp } from '../core/timestamps.ts';

const ID = /^[0-9a-z]{1,64}$/;
const HANDLE = /^[0-9a-z_]{1,32}$/;
const KIND = /^[A-Z_]{1,32}$/;
const TIMER = /^[0-9A-Za-z_:.-]{1,250}$/;
const WAIT = /^\d{6}$/;
const PARTITION = /^(?:\d|1[0-5])$/;
const FENCE = /^[0-7]$/;
const NAME = /^[a-zA-Z]{1,40}$/;
const STAMP_KEY = /^[0-9a-z_-]{1,40}$/;
const VISIBILITY = /^(?:PUBLIC|PRIVATE)$/;
const SAVED_LIST = /^(?:ALL|UNTAGGED|[0-9a-z]{1,64})$/;

export const isId = (text: string): boolean => ID.test(text);
/** Whether it can be the key of a stamp in the catalogue. */
export const isStampKey = (text: string): boolean => STAMP_KEY.test(text);

/** A stream's sequence number in 40 digits, which sort as text. DynamoDB's have no fixed length. */
export const paddedSequence = (sequence: string): string => sequence.padStart(40, '0');

export interface Part<T> {
  readonly write: (value: T) => string;
  /** Undefined if the text cannot be this part. */
  readonly read: (text: string) => T | undefined;
}

const text = (matches: (text: string) => boolean): Part<string> => ({
  write: (value) => value,
  read: (value) => (matches(value) ? value : undefined),
});
const id = text(isId);
const timestamp: Part<Timestamp> = text(isTimestamp);
/** A name that DynamoDB chose. It is never parsed further. */
const foreign = text(() => true);
/**
 * The key of a stamp in the catalogue as it is, an emoji as its code points: `+1f44d`. An emoji can contain `#`, and
 * only ASCII sorts in DynamoDB as in a program.
 */
const stampKey: Part<string> = {
  write: (key) => (isStampKey(key) ? key : `+${toCodePoints(key)}`),
  read(value) {
    if (isStampKey(value)) return value;
    const key = value.startsWith('+') ? fromCodePoints(value.slice(1)) : undefined;
    return key === undefined || isStampKey(key) ? undefined : key;
  },
};
const number: Part<number> = {
  write: toTimestamp,
  read: (digits) => (isTimestamp(digits) ? Number(digits) : undefined),
};

/** The parts that a template may name in braces. No part ever contains `#`. */
export const PARTS = {
  user: id,
  room: id,
  id,
  actor: id,
  adder: id,
  blocked: id,
  invite: id,
  handle: text((value) => HANDLE.test(value)),
  hash: text((value) => value !== ''),
  /** When the thread's root was created. */
  threadTs: timestamp,
  /** When the message was created. For a root it is the same as `threadTs`. */
  ts: timestamp,
  /** When a stamp was put on the message. */
  stampedAt: timestamp,
  /** When the user began to wait. */
  waitingSince: timestamp,
  /** When a delivery was decided. */
  at: timestamp,
  /** A kind of notification. The features name the kinds. */
  kind: text((value) => KIND.test(value)),
  stampKey,
  /** What a secret of the system is for. */
  secret: text((value) => NAME.test(value)),
  server: id,
  /** The name of a conversion. */
  conversion: text((value) => NAME.test(value)),
  timer: text((value) => TIMER.test(value)),
  /** A saved message is public or private. */
  visibility: text((value) => VISIBILITY.test(value)),
  /** `ALL` saved messages of a visibility, the `UNTAGGED` ones, or those with a tag, by its id. */
  list: text((value) => SAVED_LIST.test(value)),
  /** When the message was saved. */
  savedAt: timestamp,
  tag: id,
  /** The folded name of a tag, which never contains `#` (`saved/tagName.ts`). */
  tagName: text((value) => value !== ''),
  /** Seconds, in 6 digits. */
  wait: {
    write: (seconds: number) => String(seconds).padStart(6, '0'),
    read: (digits: string) => (WAIT.test(digits) ? Number(digits) : undefined),
  },
  /** One of 16. */
  partition: {
    write: String,
    read: (digits: string) => (PARTITION.test(digits) ? Number(digits) : undefined),
  },
  /** One of 8. */
  fence: {
    write: String,
    read: (digits: string) => (FENCE.test(digits) ? Number(digits) : undefined),
  },
  /** Milliseconds since 1970, in 16 digits. */
  due: number,
  /** 16 digits. */
  change: number,
  number,
  stream: foreign,
  shard: foreign,
  sequence: {
    write: paddedSequence,
    read: (digits: string) => digits.replace(/^0+(?=\d)/, ''),
  },
};
