/** Where a figure lies in a picture. */

/** Returns the smallest of 1, 2, 5, 10, 20, 50 … that is not below `largest`: the top of a scale that people can read. */
export function topOfScale(largest: number): number {
  if (!(largest > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= largest) ?? 10 * power;
}

/**
 * Returns where `value` lies on a line of `length` units, from 0 to `top`. Rounded to a hundredth, so that a page says no
 * more digits than a screen can show.
 */
export function toLength(value: number, top: number, length: number): number {
  return roundUnits((value / top) * length);
}

/** Rounds a place to hundredths of a unit. */
export function roundUnits(units: number): number {
  return Math.round(units * 100) / 100;
}
