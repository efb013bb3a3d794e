import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLong } from '../support/effort.js'
import { LONG_ON_POSTGRES } from './long_on_postgres.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Durations of slow specs, in seconds: the queue begins with them. */
export const SLOW_SPECS = new URL('./slow_specs.json', import.meta.url)
const SLOW: Readonly<Record<string, number>> = JSON.parse(readFileSync(SLOW_SPECS, 'utf8'))
const A_MOMENT = 0.5

/** Returns the files that the usual run tests on both databases. */
export function onPostgres(files: readonly string[]): string[] {
  if (isLong) return [...files]
  const skipped = new Set(globSync([...LONG_ON_POSTGRES], { cwd: ROOT }))
  return files.filter((each) => !skipped.has(each))
}

/** Specs that check what all other specs recorded, and so run last. */
const LAST: readonly string[] = ['tests/declarations.spec.ts']

/** Specs that count how often answers are made, and so need a database to themselves. */
const ALONE: readonly string[] = ['app/foundation/tests/response_cache.spec.ts']

/**
 * The duration of a part: a third of the rest of its suite, within bounds. A process costs two
 * seconds of a processor before its first test, so the first parts are long; the last are short, so
 * that all workers end at about the same time.
 */
const SHARE = 3
const MAX_SECONDS = 240
const SHORTEST_SECONDS = 50
const MAX_FILES = 120

/** The helper that moves the clock of its process (`passMinutes`). */
const MOVES_CLOCK = join(ROOT, 'app/stores/tests/support.ts')
const IMPORT = /from '(#[^']+|\.[^']+)'/g

const known = new Map<string, boolean>()

/**
 * Returns whether a spec may advance the clock of its process, by itself or through a test helper.
 * Such specs share no part with others, as databases and other processes keep the real time.
 */
function movesClock(path: string): boolean {
  if (path === MOVES_CLOCK) return true
  if (!known.has(path)) {
    // Helpers may import each other.
    known.set(path, false)
    known.set(path, helpersOf(path).some(movesClock))
  }
  return known.get(path)!
}

/** Returns the test helpers that a file imports. */
function helpersOf(path: string): string[] {
  const imported = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, name]) =>
    name.startsWith('#') ? join(ROOT, 'app', name.slice(1)) : join(dirname(path), name)
  )
  const files = imported.map((each) => `${each.replace(/\.js$/, '')}.ts`)
  return files.filter((each) => each.includes('/tests/') && existsSync(each))
}

/** The work of one process of tests. */
export interface Part {
  suite: 'rules' | 'service'
  /** Null if the arguments choose the files. */
  files: string[] | null
  seconds: number
}

/** Returns the files of a suite; a pattern that begins with `!` excludes files. */
export function filesOf(patterns: string | readonly string[]): string[] {
  const all = [patterns].flat()
  const excluding = all.filter((each) => each.startsWith('!')).map((each) => each.slice(1))
  const exclude = new Set(globSync(excluding, { cwd: ROOT }))
  const included = all.filter((each) => !each.startsWith('!'))
  return globSync(included, { cwd: ROOT })
    .filter((each) => !exclude.has(each))
    .sort()
}

const secondsOf = (file: string) => SLOW[file] ?? A_MOMENT

/** Splits a suite into parts, each shorter than the one before. */
export function partsOf(suite: Part['suite'], all: readonly string[]): Part[] {
  const files = all.filter((each) => !LAST.includes(each))
  const parts: Part[] = []
  const opened = new Map<boolean, { part: Part; full: number }>()
  let left = files.reduce((sum, file) => sum + secondsOf(file), 0)
  for (const file of files) {
    const seconds = secondsOf(file)
    if (ALONE.includes(file)) {
      parts.push({ suite, files: [file], seconds })
      continue
    }
    const isMoving = movesClock(join(ROOT, file))
    let open = opened.get(isMoving)
    const isFull =
      open && (open.part.seconds + seconds > open.full || open.part.files!.length === MAX_FILES)
    if (!open || isFull) {
      const full = Math.min(MAX_SECONDS, Math.max(SHORTEST_SECONDS, left / SHARE))
      open = { part: { suite, files: [], seconds: 0 }, full }
      opened.set(isMoving, open)
      parts.push(open.part)
    }
    open.part.files!.push(file)
    open.part.seconds += seconds
    left -= seconds
  }
  return parts
}

/** Returns the part that follows all others of a suite, if it has one. */
export function lastOf(suite: Part['suite'], files: readonly string[]): Part[] {
  const last = files.filter((each) => LAST.includes(each))
  return last.length > 0 ? [{ suite, files: last, seconds: A_MOMENT }] : []
}
