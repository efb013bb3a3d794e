/*
 * The texts of a version in a store, by locale. Both simulated stores share this model; each has
 * its own limits of length.
 */

export const TEXT_FIELDS = [
  'title',
  'whatsNew',
  'shortDescription',
  'description',
  'keywords',
  'promotionalText',
  'supportUrl',
  'marketingUrl',
] as const
type TextField = (typeof TEXT_FIELDS)[number]

export type StoreTexts = { locale: string } & { [Each in TextField]?: string }

/** Returns texts in which the given fields of the given locales are replaced. */
export function withTexts(
  texts: readonly StoreTexts[],
  input: readonly StoreTexts[]
): readonly StoreTexts[] {
  const merged = new Map(texts.map((each) => [each.locale, each]))
  for (const each of input) merged.set(each.locale, { ...merged.get(each.locale), ...each })
  return [...merged.values()]
}

/** Returns the first field that is longer than its limit; null if there is none. */
export function tooLongIn(
  input: readonly StoreTexts[],
  limits: Readonly<Partial<Record<TextField, number>>>
): TextField | null {
  const isTooLong = (field: TextField) =>
    input.some((each) => [...(each[field] ?? '')].length > (limits[field] ?? Infinity))
  return TEXT_FIELDS.find(isTooLong) ?? null
}
