/** The shortest JSON of a value that is neither text, list nor object: a digit. */
const SCALAR = 1;
/** The quotes of a field's name, the colon, and the comma after it. The last field has none. */
const FIELD = 4;

/**
 * Whether the JSON text of a result's data is longer than `chars`, without making the text. It counts what the text has
 * at least: no escapes, and one character of each number. Stops as soon as it knows.
 */
export function isLongerThan(data: unknown, chars: number): boolean {
  let left = chars;
  const subtract = (value: unknown): void => {
    if (typeof value === 'string') left -= value.length + 2;
    else if (Array.isArray(value)) {
      left -= value.length + 1;
      for (let i = 0; i < value.length && left >= 0; i++) subtract(value[i]);
    } else if (typeof value === 'object' && value !== null) {
      left -= 1;
      for (const [name, field] of Object.entries(value)) {
        if (left < 0) return;
        left -= name.length + FIELD;
        subtract(field);
      }
    } else left -= SCALAR;
  };
  subtract(data);
  return left < 0;
}
