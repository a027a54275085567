/**
 * `patch` applied to `target`, by the rules of RFC 7386 §2: a member with `null` is removed, an object is merged
 * into its counterpart, anything else replaces it. Neither argument is changed.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  // Defines members, so that one named `__proto__` is one like any other.
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
