/** Compares two texts by code unit, for sorting: locales would order them differently by machine. */
export const compareTexts = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0
