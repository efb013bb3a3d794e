import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Which specs take longer than a moment, in seconds: what the queue begins with. */
export const SLOW_SPECS = new URL('./slow_specs.json', import.meta.url)
const SLOW: Readonly<Record<string, number>> = JSON.parse(readFileSync(SLOW_SPECS, 'utf8'))
const A_MOMENT = 0.5

/**
 * Specs that kill processes, rehearse weeks or walk at random, and ask little of the database: in
 * the usual run they know SQLite alone, in the long one both databases.
 */
const LONG_ON_POSTGRES: readonly string[] = [
  'app/configuration/tests/functional/workflow_edits_walk.spec.ts',
  'app/{planning,releases}/tests/killed_workers.spec.ts',
  'app/releases/tests/{bad_providers,evidence}.spec.ts',
  'app/rollouts/tests/operations_table.spec.ts',
  'app/simulation/tests/{killed_at_stores,lost_stops,refusing_stores,stop_beside_review}.spec.ts',
]

/** Which of the files the usual run leaves to SQLite where both databases are tested. */
export function onPostgres(files: readonly string[]): string[] {
  if (process.env.TEST_LONG === '1') return [...files]
  const left = new Set(globSync([...LONG_ON_POSTGRES], { cwd: ROOT }))
  return files.filter((each) => !left.has(each))
}

/** Specs that ask what the whole run has shown. */
const LAST: readonly string[] = ['tests/declarations.spec.ts']

/** Specs that count how often answers are made: nobody else is at work on their database. */
const ALONE: readonly string[] = ['app/foundation/tests/kept_answers.spec.ts']

/** A part takes about this long, or has this many files. */
const FULL_SECONDS = 60
const MOST_FILES = 40

/** What moves the clock of its process on (`passMinutes`); whatever imports it may do so. */
const MOVES_CLOCK = join(ROOT, 'app/stores/tests/support.ts')
const IMPORT = /from '(#[^']+|\.[^']+)'/g

const known = new Map<string, boolean>()

/**
 * Whether a spec may move the clock of its process on, by itself or by a helper of tests: others do
 * not run beside it, as databases and other processes keep their time.
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

/** The files of tests that a file imports. */
function helpersOf(path: string): string[] {
  const imported = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, name]) =>
    name.startsWith('#') ? join(ROOT, 'app', name.slice(1)) : join(dirname(path), name)
  )
  const files = imported.map((each) => `${each.replace(/\.js$/, '')}.ts`)
  return files.filter((each) => each.includes('/tests/') && existsSync(each))
}

/** What one process of tests runs. */
export interface Part {
  suite: 'rules' | 'service'
  /** Which files, or all that the arguments of the run choose. */
  files: string[] | null
  seconds: number
}

/** The files of a suite; those behind a `!` are left out. */
export function filesOf(patterns: string | readonly string[]): string[] {
  const all = [patterns].flat()
  const left = all.filter((each) => each.startsWith('!')).map((each) => each.slice(1))
  const exclude = new Set(globSync(left, { cwd: ROOT }))
  const included = all.filter((each) => !each.startsWith('!'))
  return globSync(included, { cwd: ROOT })
    .filter((each) => !exclude.has(each))
    .sort()
}

/** Small parts of a suite: a long file by itself, short ones together. */
export function partsOf(suite: Part['suite'], files: readonly string[]): Part[] {
  const parts: Part[] = []
  const opened = new Map<boolean, Part>()
  for (const file of files.filter((each) => !LAST.includes(each))) {
    const seconds = SLOW[file] ?? A_MOMENT
    if (seconds >= FULL_SECONDS || ALONE.includes(file)) {
      parts.push({ suite, files: [file], seconds })
      continue
    }
    const isMoving = movesClock(join(ROOT, file))
    let open = opened.get(isMoving)
    if (!open || open.seconds + seconds > FULL_SECONDS || open.files!.length === MOST_FILES) {
      open = { suite, files: [], seconds: 0 }
      opened.set(isMoving, open)
      parts.push(open)
    }
    open.files!.push(file)
    open.seconds += seconds
  }
  return parts
}

/** What comes after all other parts of a suite. */
export function lastOf(suite: Part['suite'], files: readonly string[]): Part[] {
  const last = files.filter((each) => LAST.includes(each))
  return last.length > 0 ? [{ suite, files: last, seconds: A_MOMENT }] : []
}
