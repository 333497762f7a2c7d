import type { Item } from '../item.ts';
import { Attributes, isOfKey, keepItem, knownItem } from './knownItems.ts';
import { OrderedValues } from './orderedValues.ts';

/**
 * Reads a response from its bytes, in one pass and without the object that DynamoDB's JSON has around each value
 * (`{"S":"x"}`). `JSON.parse` would spend most of its time on those: a page of 50 takes it 240 µs, and 110 µs here.
 *
 * It knows the compact form that DynamoDB writes, and the types that nearly all values have. It throws for anything
 * else, and the caller (`decode.ts`) falls back to `JSON.parse`. What it returns must equal what `JSON.parse` returns.
 */
export function readResponse(bytes: Buffer): Record<string, unknown> {
  return new ResponseReader(bytes).read();
}

const code = (character: string): number => character.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code('\\');
const COLON = code(':');
const COMMA = code(',');
const OPEN = code('{');
const CLOSE = code('}');
const OPEN_LIST = code('[');
const CLOSE_LIST = code(']');
const SPACE = code(' ');
const ZERO = code('0');
const NINE = code('9');
const ASCII_MAX = 0x7f;
const B = code('B');
const L = code('L');
const M = code('M');
const N = code('N');
const S = code('S');
const T = code('t');
/** A number of this many digits is exact. */
const EXACT_DIGITS = 15;

/** Created once, because a stack trace would cost more than reading the response. */
const UNKNOWN_FORM = new Error('This response has to be read with JSON.parse.');

/** Names of attributes by their hash, so that a name is decoded once and not for each item. Bounded. */
const NAMES = new Array<string | undefined>(1_024);
const NAME_MAX = 64;

/** Of the item that is being read: items do not contain items, and reading one is not interrupted. */
const attributes = new Attributes();
const values = new OrderedValues();

class ResponseReader {
  readonly #bytes: Buffer;
  #at = 0;
  // Created once for each response instead of once for each map.
  readonly #readItem = () => this.#item();
  readonly #readListed = () => this.#listed();
  readonly #readAt = (at: number) => {
    const here = this.#at;
    this.#at = at;
    const value = this.#value();
    this.#at = here;
    return value;
  };
  readonly #readValue = () => this.#value();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): Record<string, unknown> {
    const response = this.#fields((name) => this.#field(name));
    if (this.#at !== this.#bytes.length) throw UNKNOWN_FORM;
    return response;
  }

  #field(name: string): unknown {
    switch (name) {
      case 'Item':
      case 'Attributes':
      case 'LastEvaluatedKey':
        return this.#item();
      case 'Items':
        return this.#elements(this.#readListed);
      case 'Responses':
        return this.#fields(() => this.#elements(this.#readItem));
      case 'UnprocessedKeys':
      case 'UnprocessedItems':
        // They contain items, but are nearly always empty.
        return this.#fields(() => {
          throw UNKNOWN_FORM;
        });
      default:
        return this.#plain();
    }
  }

  #item(): Item {
    values.clear();
    this.#skip(OPEN);
    if (!this.#found(CLOSE)) {
      do {
        const name = this.#name();
        this.#skip(COLON);
        values.add(name, this.#value());
      } while (this.#found(COMMA));
      this.#skip(CLOSE);
    }
    return values.item();
  }

  /** An item of a list, as one object for as long as it does not change. */
  #listed(): Item {
    const start = this.#at;
    this.#findAttributes();
    const known = knownItem(this.#bytes, attributes, this.#readAt);
    if (known !== undefined) return known;
    const end = this.#at;
    this.#at = start;
    const item = this.#item();
    if (this.#at !== end) throw UNKNOWN_FORM;
    keepItem(item, this.#bytes, attributes);
    return item;
  }

  /** Finds where the values of an item are, without reading them. */
  #findAttributes(): void {
    attributes.clear();
    this.#skip(OPEN);
    if (this.#found(CLOSE)) return;
    do {
      const name = this.#name();
      this.#skip(COLON);
      const from = this.#at;
      this.#skipValue();
      attributes.add(name, from, this.#at);
      if (isOfKey(name)) attributes.hash ^= this.#hashOf(from);
    } while (this.#found(COMMA));
    this.#skip(CLOSE);
  }

  #hashOf(from: number): number {
    const bytes = this.#bytes;
    let hash = 0;
    for (let at = from; at < this.#at; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    return hash ^ (hash >>> 15);
  }

  /** A value, which begins with a bracket. */
  #skipValue(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    let depth = 0;
    do {
      const byte = bytes[at++];
      if (byte === QUOTE) {
        for (let inText = bytes[at]; inText !== QUOTE; inText = bytes[++at]) {
          if (inText === undefined) throw UNKNOWN_FORM;
          if (inText === BACKSLASH) at++;
        }
        at++;
      } else if (byte === OPEN || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
      else if (byte === undefined) throw UNKNOWN_FORM;
    } while (depth > 0);
    this.#at = at;
  }

  #map(): Item {
    return this.#fields(this.#readValue);
  }

  #value(): unknown {
    this.#skip(OPEN);
    this.#skip(QUOTE);
    const type = this.#bytes[this.#at++];
    const value = this.#bytes[this.#at] === QUOTE ? this.#shortType(type) : this.#longType(type);
    this.#skip(CLOSE);
    return value;
  }

  #shortType(type: number | undefined): unknown {
    this.#skip(QUOTE);
    this.#skip(COLON);
    if (type === S) return this.#text();
    if (type === N) return this.#number();
    if (type === M) return this.#map();
    if (type === L) return this.#elements(this.#readValue);
    throw UNKNOWN_FORM;
  }

  #longType(type: number | undefined): boolean | null {
    if (type === N) {
      this.#skipText('ULL":true');
      return null;
    }
    if (type !== B) throw UNKNOWN_FORM;
    this.#skipText('OOL":');
    const isTrue = this.#bytes[this.#at] === T;
    this.#skipText(isTrue ? 'true' : 'false');
    return isTrue;
  }

  #fields<T>(read: (name: string) => T): Record<string, T> {
    const fields: Record<string, T> = {};
    this.#skip(OPEN);
    if (this.#found(CLOSE)) return fields;
    do {
      const name = this.#name();
      this.#skip(COLON);
      fields[name] = read(name);
    } while (this.#found(COMMA));
    this.#skip(CLOSE);
    return fields;
  }

  #elements<T>(read: () => T): T[] {
    const elements: T[] = [];
    this.#skip(OPEN_LIST);
    if (this.#found(CLOSE_LIST)) return elements;
    do elements.push(read());
    while (this.#found(COMMA));
    this.#skip(CLOSE_LIST);
    return elements;
  }

  /** A name that was read before is not decoded again. */
  #name(): string {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let hash = 0;
    let at = start;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (byte === undefined || byte < SPACE || byte === BACKSLASH || byte > ASCII_MAX) throw UNKNOWN_FORM;
      hash = (hash * 31 + byte) | 0;
    }
    const slot = hash & (NAMES.length - 1);
    const known = NAMES[slot];
    if (known !== undefined && this.#has(known, start, at)) {
      this.#at = at + 1;
      return known;
    }
    const name = this.#text();
    // Assigning to it would set the object's prototype.
    if (name === '__proto__') throw UNKNOWN_FORM;
    if (name.length <= NAME_MAX) NAMES[slot] = name;
    return name;
  }

  #has(name: string, start: number, end: number): boolean {
    const bytes = this.#bytes;
    if (name.length !== end - start || bytes[start - 1] !== QUOTE) return false;
    for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== bytes[start + i]) return false;
    return true;
  }

  #text(): string {
    this.#skip(QUOTE);
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let escaped = false;
    let all = 0;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      // The end of the bytes, or a control character, which JSON strings cannot contain.
      if (byte === undefined || byte < SPACE) throw UNKNOWN_FORM;
      if (byte === BACKSLASH) {
        escaped = true;
        at++;
      }
      all |= byte;
    }
    this.#at = at + 1;
    if (escaped) return JSON.parse(bytes.toString('utf8', start - 1, at + 1));
    // A copy: a slice of the decoded response would keep all of it in memory while one item is in a cache.
    return bytes.toString(all > ASCII_MAX ? 'utf8' : 'latin1', start, at);
  }

  #number(): number {
    this.#skip(QUOTE);
    const start = this.#at;
    let value = 0;
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte < ZERO || byte > NINE) break;
      value = value * 10 + byte - ZERO;
      this.#at++;
    }
    const digits = this.#at - start;
    if (digits > 0 && digits <= EXACT_DIGITS && this.#found(QUOTE)) return value;
    this.#at = start - 1;
    const other = Number(this.#text());
    if (!(Math.abs(other) <= Number.MAX_SAFE_INTEGER)) throw UNKNOWN_FORM;
    return other;
  }

  /** A value outside the items: the cost of the request, or the number of items. */
  #plain(): unknown {
    const start = this.#at;
    let depth = 0;
    do {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw UNKNOWN_FORM;
      if (byte === QUOTE) {
        this.#text();
        continue;
      }
      if (byte === OPEN || byte === OPEN_LIST) depth++;
      if (byte === CLOSE || byte === CLOSE_LIST) depth--;
      this.#at++;
    } while (depth > 0 || (this.#bytes[this.#at] !== COMMA && this.#bytes[this.#at] !== CLOSE));
    return JSON.parse(this.#bytes.toString('utf8', start, this.#at));
  }

  #found(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  #skip(byte: number): void {
    if (this.#bytes[this.#at++] !== byte) throw UNKNOWN_FORM;
  }

  #skipText(text: string): void {
    for (let i = 0; i < text.length; i++) this.#skip(text.charCodeAt(i));
  }
}
