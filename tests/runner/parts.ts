import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLong } from '../support/effort.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Durations of slow specs, in seconds: the queue begins with them. */
export const SLOW_SPECS = new URL('./slow_specs.json', import.meta.url)
const SLOW: Readonly<Record<string, number>> = JSON.parse(readFileSync(SLOW_SPECS, 'utf8'))
const A_MOMENT = 0.5

/**
 * Specs of what no database has a part in: in the usual run they know SQLite alone, in the long one
 * both databases. What an operation stores and reads is tested on both by its functional spec.
 */
const LONG_ON_POSTGRES: readonly string[] = [
  // Rules of every operation: who may, what is declared, what is broken.
  'tests/{authorization,canary,conflicts,created,entries,null_members,query_words,repetitions,text_limits}.spec.ts',
  'app/{configuration,fixes,rollouts,stores,distribution}/tests/{bad_input,bad_uploads,hostile_files}.spec.ts',
  'tests/declarations.spec.ts',
  // Walks at random, and orders of events.
  'app/**/*_walk.spec.ts',
  'app/**/{release_walks,*_in_any_order,edits_and_progress,round_trip_http,late_calls}.spec.ts',
  'app/planning/tests/simulation/*.spec.ts',
  // Processes that are killed or stopped, and commands that are started.
  'app/{planning,releases}/tests/killed_workers.spec.ts',
  'app/{organizations,webhooks}/tests/commands.spec.ts',
  'app/foundation/tests/{first_start,trusted_proxies,uploads}.spec.ts',
  // Tools of agents, which derive from operations.
  'app/agents/tests/*.spec.ts',
  'app/agents/tests/plans/{plans_of_stores,stale_plans,what_plans_tell,ways_round}.spec.ts',
  // Git, and providers that fail.
  'app/fixes/tests/{back_merge,closed_pulls,code_that_moves,fix_code,forced_away}.spec.ts',
  'app/features/tests/{changes,patches,release_notes}.spec.ts',
  'app/insights/tests/{where_is,where_is_builds,where_is_git}.spec.ts',
  'app/releases/tests/{bad_providers,evidence,release_verify}.spec.ts',
  'app/stores/tests/answer_words.spec.ts',
  'app/version_control/tests/{kickoff_branch,version_files,written_versions}.spec.ts',
  // Simulated stores over weeks.
  'app/simulation/tests/*.spec.ts',
  'app/rollouts/tests/{guard_counts,guard_sources,held_growth,operations_asked,operations_table,over_releases,overtaken,several_stores}.spec.ts',
  'app/stores/tests/{replaced,seams}.spec.ts',
]

/** Returns the files that the usual run tests on both databases. */
export function onPostgres(files: readonly string[]): string[] {
  if (isLong) return [...files]
  const left = new Set(globSync([...LONG_ON_POSTGRES], { cwd: ROOT }))
  return files.filter((each) => !left.has(each))
}

/** Specs that ask what the whole run has shown. */
const LAST: readonly string[] = ['tests/declarations.spec.ts']

/** Specs that count how often answers are made: nobody else is at work on their database. */
const ALONE: readonly string[] = ['app/foundation/tests/kept_answers.spec.ts']

/** A part takes about this long, or has this many files. */
const FULL_SECONDS = 90
const MOST_FILES = 60

/** The helper that moves the clock of its process (`passMinutes`). */
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

/** The work of one process of tests. */
export interface Part {
  suite: 'rules' | 'service'
  /** The files, or null for those that the arguments choose. */
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

/** Returns what follows all other parts of a suite. */
export function lastOf(suite: Part['suite'], files: readonly string[]): Part[] {
  const last = files.filter((each) => LAST.includes(each))
  return last.length > 0 ? [{ suite, files: last, seconds: A_MOMENT }] : []
}
