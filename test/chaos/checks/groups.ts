/** Puts items under their names, each group in the order of the items. */
export function groupBy<Item>(items: Iterable<Item>, toName: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = toName(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
