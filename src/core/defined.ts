type Undefinable<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T];

/** `T` with its properties that may be undefined as optional ones, in the sense of `exactOptionalPropertyTypes`. */
export type Defined<T> = Omit<T, Undefinable<T>> & {
  [Name in Undefinable<T>]?: Exclude<T[Name], undefined>;
};

/** A copy without the properties that are undefined. */
export function defined<T extends object>(properties: T): Defined<T> {
  const present = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}
