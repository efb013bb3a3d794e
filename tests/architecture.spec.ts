import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import ts from 'typescript'

/*
 * The directions of the code: what may import what, and where time and rows come from.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))

interface Source {
  /** Path from the root: `app/releases/routes.ts`. */
  path: string
  text: string
  /** What it imports: files of the project by their path, packages by their name. */
  imports: { target: string; isType: boolean }[]
}

const { imports: aliases } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>
}

function resolve(specifier: string, from: string): string {
  if (specifier.startsWith('.')) {
    return join(dirname(from), specifier).replace(/\.js$/, '.ts')
  }
  for (const [alias, target] of Object.entries(aliases)) {
    const prefix = alias.slice(0, -1)
    if (specifier.startsWith(prefix)) {
      return join(target.replace('*.js', `${specifier.slice(prefix.length)}.ts`))
    }
  }
  return specifier
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Source['imports'] = []
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier && ts.isStringLiteral(specifier)) {
      imports.push({ target: resolve(specifier.text, path), isType })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { path, text, imports }
}

const sources = globSync('app/**/*.ts', { cwd: ROOT })
  .map((path) => relative('.', path))
  .sort()
  .map(read)
const code = sources.filter(({ path }) => !path.includes('/tests/'))
const moduleOf = (path: string) => /^app\/(\w+)\//.exec(path)?.[1] ?? null

/** The first circle of imports, as the way around it. */
function findCircle(files: readonly Source[]): string[] | null {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const way: string[] = []
  const walk = (path: string): string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    const file = byPath.get(path)
    if (!file || finished.has(path)) return null
    way.push(path)
    for (const { target, isType } of file.imports) {
      const circle = isType ? null : walk(target)
      if (circle) return circle
    }
    way.pop()
    finished.add(path)
    return null
  }
  for (const { path } of files) {
    const circle = walk(path)
    if (circle) return circle
  }
  return null
}

/** Every import that a rule forbids, as `from → to`. */
function offending(rule: (from: string, to: string, isType: boolean) => boolean): string[] {
  return code.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, isType }) => rule(path, target, isType))
      .map(({ target }) => `${path} → ${target}`)
  )
}

/** Every line that matches, outside of the files named. */
function lines(pattern: RegExp, except: RegExp = /^$/): string[] {
  return code
    .filter(({ path }) => !except.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []
        )
    )
}

test.group('architecture', () => {
  test('every import of the project is found', ({ assert }) => {
    assert.isAbove(code.length, 100)
    const known = new Set(sources.map(({ path }) => path))
    assert.deepEqual(
      offending((_, to) => to.startsWith('app/') && !known.has(to)),
      []
    )
  })

  test('no import runs in a circle', ({ assert }) => {
    assert.isNull(findCircle(code))
  })

  test('a circle would be found', ({ assert }) => {
    const source = (path: string, target: string): Source => ({
      path,
      text: '',
      imports: [{ target, isType: false }],
    })
    const circle = [source('a', 'b'), source('b', 'c'), source('c', 'a')]
    assert.deepEqual(findCircle(circle), ['a', 'b', 'c', 'a'])
  })

  test('the foundation imports no module', ({ assert }) => {
    assert.deepEqual(
      offending(
        (from, to) =>
          moduleOf(from) === 'foundation' && ![null, 'foundation'].includes(moduleOf(to))
      ),
      []
    )
  })

  test('the engine imports nothing but itself, types, words and the standard library', ({
    assert,
  }) => {
    const engine = 'app/releases/engine/'
    const isAllowed = (to: string) =>
      to.startsWith(engine) || to.startsWith('node:') || /^app\/\w+\/vocabulary\.ts$/.test(to)
    assert.deepEqual(
      offending((from, to, isType) => from.startsWith(engine) && !isType && !isAllowed(to)),
      []
    )
  })

  test('no module imports the controllers, routes or validators of another', ({ assert }) => {
    assert.deepEqual(
      offending(
        (from, to) =>
          /^app\/\w+\/(controllers|validators)\/|\/(routes|validators)\.ts$/.test(to) &&
          moduleOf(from) !== moduleOf(to)
      ),
      []
    )
  })

  test('the code of the service imports no test', ({ assert }) => {
    assert.deepEqual(
      offending((_, to) => to.startsWith('tests/') || to.includes('/tests/')),
      []
    )
  })

  test('only the clock asks the machine for the time', ({ assert }) => {
    const asking = /\bnew Date\(\s*\)|\bDate\.now\(|\bDateTime\.(now|local|utc)\(\s*\)/
    assert.deepEqual(lines(asking, /^app\/foundation\/core\/clock\.ts$/), [])
  })

  test('tenant rows are reached through a scope', ({ assert }) => {
    const models = code.flatMap(({ text }) =>
      [...text.matchAll(/export default class (\w+) extends modelOf\(/g)].map(([, name]) => name)
    )
    assert.includeMembers(models, ['App', 'Group', 'Release'])
    const reaching = new RegExp(
      `\\b(${models.join('|')})\\.(query|find\\w*|first\\w*|all|create\\w*|updateOrCreate\\w*|fetchOrCreate\\w*)\\(`
    )
    assert.deepEqual(lines(reaching), [])
  })

  test('files are stored in one place, which no transaction reaches', ({ assert }) => {
    const storing = /\.(put|putStream|copyFromFs|moveFromFs)\(|\b(createWriteStream|appendFile)\(/
    const places = /^app\/foundation\/core\/files\/(spool|stored_files)\.ts$/
    assert.deepEqual(lines(storing, places), [])
    // An action runs inside a transaction; what it is given was stored before.
    assert.deepEqual(
      lines(/\b(storeFile|storeIcon)\(/, /\/(stored_files|store_icon|routes|fetch_icon)\.ts$/),
      []
    )
  })

  test('files can be read in one sitting', ({ assert }) => {
    const long = code.filter(({ text }) => text.split('\n').length > 400)
    assert.deepEqual(
      long.map(({ path }) => path),
      []
    )
  })
})
