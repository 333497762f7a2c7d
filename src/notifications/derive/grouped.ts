/** By name, each group in the order of the list. */
export function grouped<T>(list: readonly T[], name: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(name(one));
    if (group === undefined) groups.set(name(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
