/*
 * The texts of a version in a store, by locale. Both simulated stores keep texts alike; the longest
 * text is each store's own.
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

/** The same texts, those of the locales that are given with the fields that are given. */
export function withTexts(
  texts: readonly StoreTexts[],
  given: readonly StoreTexts[]
): readonly StoreTexts[] {
  const merged = new Map(texts.map((each) => [each.locale, each]))
  for (const each of given) merged.set(each.locale, { ...merged.get(each.locale), ...each })
  return [...merged.values()]
}

/** The first field that is longer than its store lets it be; null if all are fine. */
export function tooLongIn(
  given: readonly StoreTexts[],
  limits: Readonly<Partial<Record<TextField, number>>>
): TextField | null {
  const isTooLong = (field: TextField) =>
    given.some((each) => [...(each[field] ?? '')].length > (limits[field] ?? Infinity))
  return TEXT_FIELDS.find(isTooLong) ?? null
}
