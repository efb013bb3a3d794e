import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

/*
 * Chooses the specs that a change may affect, for `npm test -- --changed`. Only the whole run finds
 * effects on code that does not import the change.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const ALIASES = Object.entries(imports as Record<string, string>).map(
  ([name, path]) => [name.replace('*', ''), path.replace(/^\.\/|\*\.js$/g, '')] as const
)

/** Sources that are read for their imports. */
const SOURCES = ['{app,tests,packages,plugins,examples}/**/*.ts']
const IMPORT = /(?:from|import\()\s*'([#.][^']+)'/g

/** A module, a package or a plugin. */
const UNIT = /^(?:app|packages|plugins|examples)\/[^/]+\//

/** Changes that may break every test. */
const OF_ALL = [
  /^(?:bin|config|database|providers|start)\//,
  /^app\/foundation\/(?!.*\/?tests\/)/,
  /^tests\/(?:bootstrap\.ts$|runner\/)/,
  /^(?:adonisrc\.ts|package(?:-lock)?\.json|tsconfig\.json)$/,
]

/** Specs about the project as a whole, which are quick. */
const OF_PROJECT = /^tests\/(?:architecture|comments|packages|places|unused)\.spec\.ts$/

/** Returns the files that differ from the main branch, committed or not. */
export function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
  const mains = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/*/main')
  const base = mains.length > 0 ? git('merge-base', 'HEAD', mains[0])[0] : 'HEAD'
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Returns the files of this project that each source imports. */
export function readImports(): Map<string, string[]> {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/build/**'] })
  return new Map(
    files.map((file) => {
      const names = [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)]
      return [file, names.map(([, name]) => fileOf(name, file))]
    })
  )
}

function fileOf(name: string, importer: string): string {
  const alias = ALIASES.find(([prefix]) => name.startsWith(prefix))
  const path = alias ? alias[1] + name.slice(alias[0].length) : join(dirname(importer), name)
  return `${path.replace(/\.js$/, '')}.ts`
}

/**
 * Returns the specs that a change may affect: the changed ones; those that import a changed file,
 * directly or through test helpers; and all specs of a unit with a source that has changed or
 * imports a changed source.
 */
export function touchedBy(
  changed: readonly string[],
  specs: readonly string[],
  importsOf: ReadonlyMap<string, readonly string[]>
): string[] {
  if (changed.some((file) => OF_ALL.some((each) => each.test(file)))) return [...specs]
  const seeds = new Set(changed)
  const isSource = (file: string) => !isOfTests(file)
  const importing = [...importsOf].flatMap(([file, names]) =>
    isSource(file) && names.some((name) => seeds.has(name) && isSource(name)) ? [file] : []
  )
  const units = new Set(
    [...changed.filter(isSource), ...importing].flatMap((file) => UNIT.exec(file)?.[0] ?? [])
  )
  const known = new Map<string, boolean>()
  const isTouched = (file: string): boolean => {
    if (seeds.has(file)) return true
    if (!isOfTests(file)) return false
    if (!known.has(file)) {
      // Helpers may import each other.
      known.set(file, false)
      known.set(file, (importsOf.get(file) ?? []).some(isTouched))
    }
    return known.get(file)!
  }
  return specs.filter(
    (spec) => OF_PROJECT.test(spec) || units.has(UNIT.exec(spec)?.[0] ?? '') || isTouched(spec)
  )
}

const isOfTests = (file: string) => /(?:^|\/)tests\//.test(file)
