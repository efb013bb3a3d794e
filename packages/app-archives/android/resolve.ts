import type { AndroidResources, AndroidValue, Candidate } from './elements.ts'

/** References that are followed one after the other, and values that are looked at in all. */
const MAX_STEPS = 10
const MAX_VALUES = 200
/** Densities that are no number of dots: for vectors, and for none in particular. */
const ANY_DENSITY = 0xfffe
const DEFAULT_DENSITY = 160

/**
 * Resolves a text for an unknown language: values for any language come first. Null if references
 * lead nowhere, or in a circle.
 */
export function resolveText(
  resources: AndroidResources,
  value: AndroidValue | null
): string | null {
  let found = value
  for (let step = 0; step < MAX_STEPS; step++) {
    if (found === null) return null
    switch (found.kind) {
      case 'text':
        return found.text
      case 'number':
        return String(found.value)
      case 'flag':
        return String(found.value)
      case 'reference':
        found = plainest(resources.candidates(found.id))
        break
      default:
        return null
    }
  }
  return null
}

function plainest(candidates: Iterable<Candidate>): AndroidValue | null {
  let first: AndroidValue | null = null
  for (const { isAnyLanguage, value } of candidates) {
    if (isAnyLanguage) return value
    first ??= value
  }
  return first
}

/** The files that a drawing may be in, the one of most pixels first. */
export function resolveFiles(resources: AndroidResources, value: AndroidValue | null): string[] {
  const files: { path: string; density: number }[] = []
  const seen = new Set<number>()
  const waiting: { value: AndroidValue; density: number }[] = []
  if (value !== null) waiting.push({ value, density: 0 })
  for (let looked = 0; looked < MAX_VALUES; looked++) {
    const each = waiting.shift()
    if (!each) break
    if (each.value.kind === 'text') files.push({ path: each.value.text, density: each.density })
    if (each.value.kind !== 'reference' || seen.has(each.value.id)) continue
    seen.add(each.value.id)
    for (const { value: named, density } of resources.candidates(each.value.id)) {
      if (waiting.push({ value: named, density }) >= MAX_VALUES) break
    }
  }
  return files.sort((one, other) => dots(other.density) - dots(one.density)).map(({ path }) => path)
}

function dots(density: number): number {
  if (density >= ANY_DENSITY) return 0
  return density === 0 ? DEFAULT_DENSITY : density
}
