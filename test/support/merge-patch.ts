/** RFC 7386 §2, word for word: it changes its target, as the RFC's does. */
export function mergePatchOfRfc(target: unknown, patch: unknown): unknown {
  if (isObject(patch)) {
    const object = isObject(target) ? target : (Object.create(null) as Record<string, unknown>);
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) {
        if (Object.hasOwn(object, name)) delete object[name];
      } else object[name] = mergePatchOfRfc(object[name], value);
    }
    return object;
  }
  return patch;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
