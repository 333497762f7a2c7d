/**
 * The elements by name. Groups are in the order of their first element, and each keeps the order of the list. By hand,
 * because Node 20 has no `Map.groupBy`.
 */
export function groupBy<T>(list: readonly T[], nameOf: (element: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const element of list) {
    const name = nameOf(element);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [element]);
    else group.push(element);
  }
  return groups;
}
