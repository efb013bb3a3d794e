import type { AndroidResources, AndroidValue, Candidate } from './elements.ts'

/** Limits of resolving: references followed in a row, and values visited in total. */
const MAX_STEPS = 10
const MAX_VALUES = 200
/** Densities from here on mean any density, or none in particular. */
const ANY_DENSITY = 0xfffe
const DEFAULT_DENSITY = 160

/**
 * Resolves a text, preferring values for any language. Null if a reference leads nowhere, or
 * references form a circle.
 */
export function resolveText(
  resources: AndroidResources,
  value: AndroidValue | null
): string | null {
  let current = value
  for (let step = 0; step < MAX_STEPS; step++) {
    if (current === null) return null
    switch (current.kind) {
      case 'text':
        return current.text
      case 'number':
      case 'flag':
        return String(current.value)
      case 'reference':
        current = mostGeneral(resources.candidates(current.id))
        break
      default:
        return null
    }
  }
  return null
}

function mostGeneral(candidates: Iterable<Candidate>): AndroidValue | null {
  let first: AndroidValue | null = null
  for (const { isAnyLanguage, value } of candidates) {
    if (isAnyLanguage) return value
    first ??= value
  }
  return first
}

/** Returns the files that a drawable may be in, with the highest density first. */
export function resolveFiles(resources: AndroidResources, value: AndroidValue | null): string[] {
  const files: { path: string; density: number }[] = []
  const seen = new Set<number>()
  const waiting: { value: AndroidValue; density: number }[] = []
  if (value !== null) waiting.push({ value, density: 0 })
  for (let visited = 0; visited < MAX_VALUES; visited++) {
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
